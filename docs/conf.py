"""Configuration of Sphinx for the documentation site: ``sphinx-build docs site -W``."""

import os
import re
import warnings
from pathlib import Path

from sphinx_gallery.sorting import FunctionSortKey

import boruvka

DOCS = Path(__file__).parent
ROOT = DOCS.parent

project = "boruvka"
author = "the authors of boruvka"
version = release = boruvka.__version__
extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
templates_path = ["_templates"]
exclude_patterns = ["gallery/*"]
highlight_language = "none"
myst_heading_anchors = 4
myst_links_external_new_tab = False
nitpicky = False  # types such as array_like have no page
suppress_warnings = ["config.cache"]  # the configuration holds a function, so it is not cached

default_role = "autolink"
autosummary_generate = True
autodoc_typehints = "none"  # numpydoc lists the types
autodoc_member_order = "bysource"
numpydoc_show_class_members = False  # the template of a class lists them
numpydoc_xref_param_type = False

html_theme = "pydata_sphinx_theme"
html_title = "boruvka"
html_copy_source = html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {"index": [], "install": []}  # pages without a section
html_theme_options = {
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "header_links_before_dropdown": 8,
    "show_prev_next": False,
    "footer_start": ["copyright"],
    "footer_end": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
copyright = "the authors of boruvka, MIT licence"

scripts_in_order = re.findall(r"\((\w+\.py)\)", (DOCS / "gallery" / "scripts.md").read_text())
sphinx_gallery_conf = {
    "examples_dirs": "gallery",
    "gallery_dirs": "auto_gallery",
    "filename_pattern": r"\.py$",
    "download_all_examples": False,
    "show_memory": False,
    "show_signature": False,
    "write_computation_times": False,
    "capture_repr": (),
    "image_srcset": ["2x"],
    "within_subsection_order": FunctionSortKey(scripts_in_order.index, "the order of scripts.md"),
    "remove_config_comments": True,
    "abort_on_example_error": True,
    "plot_gallery": os.environ.get("BORUVKA_GALLERY", "1") != "0",  # 0: pages without pictures, to write text
    "parallel": min(4, os.cpu_count() or 1),
}
warnings.filterwarnings("ignore", message="Matplotlib is currently using agg")

PAGES = {
    "README.md": "index",
    "ARCHITECTURE.md": "project/architecture",
    "CHANGELOG.md": "project/changes",
    "CONTRIBUTING.md": "project/contributing",
    "docs/gallery/scripts.md": "auto_gallery/index",
    "lab/README.md": "project/measurements",
}
"""Documents outside this folder, and the pages of the site that show them."""


def show_outside_documents(app, docname, source):
    """Replace a page by the document that it shows, and adapt links to what is outside this folder.

    On a code host the same files link to each other as they are.
    """
    if docname.startswith(("auto_gallery", "api")):
        return
    path = DOCS / f"{docname}.md"
    for outside, page in PAGES.items():
        if docname == page != "index":
            path = ROOT / outside
            source[0] = path.read_text()
            app.env.note_dependency(path)  # read again when it changes
    source[0] = re.sub(
        r"(!?)\[([^][]*)\]\(([^)#:]+)(#[^)]*)?\)", lambda m: _link(m, path, docname), source[0]
    )


def _link(match, path, docname):
    """Return a link of a document as it must be on a page of the site."""
    mark, text, target, anchor = match[1], match[2], (path.parent / match[3]).resolve(), match[4] or ""
    here = (DOCS / docname).parent
    if not target.is_relative_to(ROOT):
        return match[0]
    name = target.relative_to(ROOT).as_posix()
    if name in PAGES:
        ending = ".rst" if PAGES[name].startswith("auto_gallery") else ".md"
        return f"{mark}[{text}]({os.path.relpath(DOCS / PAGES[name], here)}{ending}{anchor})"
    if target.is_relative_to(DOCS):
        return f"{mark}[{text}]({os.path.relpath(target, here)}{anchor})"
    if target.is_file():  # a file to download
        return f"{mark}[{text}](<path:{os.path.relpath(target, here)}>)"
    return f"{text} (`{name}`)"


def setup(app):
    """Connect the function above."""
    app.connect("source-read", show_outside_documents)
