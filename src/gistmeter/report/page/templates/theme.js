"use strict";
// Light or dark: as the reader chose on any page of ours, else as the system has it.

const theme = {
  saved() {
    try {
      return localStorage.getItem("gistmeter-theme");
    } catch {
      return null; // storage can be closed to files
    }
  },
  apply(name) {
    if (name === "light" || name === "dark") document.documentElement.dataset.theme = name;
  },
  isDark() {
    const chosen = document.documentElement.dataset.theme;
    return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  },
  toggle() {
    const name = theme.isDark() ? "light" : "dark";
    theme.apply(name);
    try {
      localStorage.setItem("gistmeter-theme", name);
    } catch {
      // it still holds until the page is closed
    }
  },
  /** The button that switches, once the page is there. */
  start() {
    find("theme").addEventListener("click", theme.toggle);
  },
};

theme.apply(theme.saved()); // before anything is drawn
