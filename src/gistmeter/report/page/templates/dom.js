"use strict";
// What every page needs to draw itself. Text is only ever set as text, never as HTML.

const find = (id) => document.getElementById(id);

/** An element with attributes and children; a function stands for an event listener, strings become text. */
function make(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Let the keyboard reach texts and tables that scroll, so that the arrow keys scroll them. */
function reachScrolling(root) {
  for (const region of root.querySelectorAll(".panes .text, .matches")) {
    if (region.scrollHeight > region.clientHeight || region.scrollWidth > region.clientWidth) region.tabIndex = 0;
  }
}

/** Let the browser download JSON lines as a file. */
function saveLines(text, name) {
  saveText(text, name, "application/x-ndjson");
}

/** Let the browser download a text as a file. */
function saveText(text, name, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = make("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
