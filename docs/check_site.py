"""Check the built site: links lead somewhere, nothing comes from elsewhere, every page is in the navigation.

python docs/check_site.py [site]    exit 1, with one line for each fault

A link of a page, of README.md or of CONTRIBUTING.md must lead to a file, and to a heading where it names one. Scripts,
styles, fonts and pictures must be files of the site: a page that is read offline, or by someone who does not want to be
seen reading it, asks no other host.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
FILES_BESIDE = ("README.md", "CONTRIBUTING.md")
LOADING_TAGS = {"script", "img", "iframe", "source", "video", "audio", "embed", "object"}
LOADING_RELATIONS = {"stylesheet", "icon", "preload", "prefetch", "preconnect", "dns-prefetch", "modulepreload"}
MARKDOWN_LINK = re.compile(r"\]\(([^()\s]+)\)")
MARKDOWN_BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
MARKDOWN_CODE = re.compile(r"`[^`\n]*`")
STYLE_ADDRESS = re.compile(r"(?:url\(|@import\s+)[\"']?([^\"')\s;]+)")


@dataclass
class Page(HTMLParser):
    """What a page of HTML links to, loads, and can be jumped to."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    menu: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)
    open_menus: int = 0

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the addresses and the names of an element."""
        values = {name: value or "" for name, value in attrs}
        self.open_menus += tag == "nav"
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
            if self.open_menus:
                self.menu.append(values["href"])
        if tag in LOADING_TAGS:
            self.loads += [values[name] for name in ("src", "data", "poster") if values.get(name)]
        if tag == "link" and LOADING_RELATIONS & set(values.get("rel", "").split()):
            self.loads.append(values.get("href", ""))
        if "style" in values:
            self.loads += STYLE_ADDRESS.findall(values["style"])

    def handle_endtag(self, tag: str) -> None:
        """Leave a menu."""
        self.open_menus -= tag == "nav"


def read_pages(site: Path) -> dict[Path, Page]:
    """Every page of the site, by its file."""
    pages = {}
    for file in sorted(site.rglob("*.html")):
        page = Page()
        page.feed(file.read_text("utf-8"))
        pages[file.resolve()] = page
    return pages


def is_elsewhere(address: str) -> bool:
    """Whether an address is of another host."""
    parts = urlsplit(address)
    return bool(parts.netloc) or parts.scheme in {"http", "https", "ftp"}


def find_fault(address: str, file: Path, pages: dict[Path, Page]) -> str | None:
    """Why a local address in a file leads nowhere, or nothing."""
    parts = urlsplit(address)
    if parts.netloc or parts.scheme:
        return None
    target = (file.parent / unquote(parts.path)).resolve() if parts.path else file.resolve()
    if not target.exists():
        return f"{address} is not there"
    if parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].anchors:
        return f"{address} names no heading of {target.name}"
    return None


def check_pages(site: Path, pages: dict[Path, Page]) -> list[str]:
    """Links and resources of the built pages, and pages that the navigation leaves out."""
    faults = []
    for file, page in pages.items():
        if file.name == "404.html":  # its addresses start at the root of a server
            continue
        name = file.relative_to(site.resolve())
        found = [find_fault(address, file, pages) for address in [*page.links, *page.loads]]
        found += [f"{address} is loaded from elsewhere" for address in page.loads if is_elsewhere(address)]
        faults += [f"{name}: {fault}" for fault in dict.fromkeys(found) if fault]
    for file in sorted(site.rglob("*.css")):
        addresses = STYLE_ADDRESS.findall(file.read_text("utf-8"))
        faults += [f"{file.name}: {address} is loaded from elsewhere" for address in addresses if is_elsewhere(address)]
    home = (site / "index.html").resolve()
    if home not in pages:
        return [*faults, "index.html is missing: the site was not built"]
    listed = {(home.parent / urlsplit(address).path).resolve() for address in pages[home].menu}
    left_out = [file for file in pages if file not in listed and file.name not in {"404.html", "index.html"}]
    return [*faults, *(f"{file.relative_to(site.resolve())} is not in the navigation" for file in left_out)]


def check_markdown(name: str, site: Path, pages: dict[Path, Page]) -> list[str]:
    """Links of a file beside the site: pages of docs/ stand for what was built from them."""
    text = MARKDOWN_BLOCK.sub("", (ROOT / name).read_text("utf-8"))
    headings = {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}
    faults = []
    for address in MARKDOWN_LINK.findall(MARKDOWN_CODE.sub("", text)):
        page, _, fragment = address.partition("#")
        if not page:
            faults += [f"{address} names no heading"] if fragment not in headings else []
        elif page.startswith("docs/") and page.endswith(".md"):
            built = page.removeprefix("docs/").removesuffix(".md") + ".html" + (f"#{fragment}" if fragment else "")
            fault = find_fault(built, site / "README", pages)
            faults += [fault] if fault else []
        elif not is_elsewhere(address) and not (ROOT / page).exists():
            faults.append(f"{address} is not there")
    return [f"{name}: {fault}" for fault in faults]


def slug(heading: str) -> str:
    """The anchor that a heading gets."""
    return re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def check_site(site: Path) -> list[str]:
    """One line for each fault of the built site and of the files beside it."""
    pages = read_pages(site)
    return check_pages(site, pages) + [fault for name in FILES_BESIDE for fault in check_markdown(name, site, pages)]


def main(arguments: list[str]) -> int:
    """Check the site in a folder; the exit code."""
    faults = check_site(Path(arguments[0]) if arguments else ROOT / "site")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
