"""Diagnostics of the site target: colours, versions, the logo, and guides."""

from __future__ import annotations

from toolspec.diagnostics import DiagnosticKind, Severity

CONTRAST = DiagnosticKind(
    code="site/contrast",
    severity=Severity.WARNING,
    message="`{color}` has a contrast of {ratio} to `{behind}` in the {theme} theme, and needs 4.5",
    hint="use `{better}`",
    why=(
        "Links have the accent colour. WCAG 2.2 AA asks for a contrast of 4.5 between a text and what is "
        "behind it, so that people with poor sight can read it."
    ),
    example='[target.site]\naccent = "#ffcc00"',
)
VERSION = DiagnosticKind(
    code="site/version",
    severity=Severity.ERROR,
    message="`{version}` is not one of `versions`",
    hint="add it to `versions`, the newest first",
    why="`versions` are those of the menu, and `version` is the one that is compiled.",
    example='[target.site]\nversion = "v2"\nversions = ["v1"]',
)
IMAGE = DiagnosticKind(
    code="site/image",
    severity=Severity.ERROR,
    message="`{path}` is no PNG, JPEG, GIF or WebP image",
    hint="save it in one of these formats",
    why=(
        "A site has images in formats without scripts, which SVG can hold. The content of a file decides, "
        "not its name."
    ),
)
GUIDE_NAME = DiagnosticKind(
    code="site/guide-name",
    severity=Severity.ERROR,
    message="the guides `{path}` and `{other}` have the same page",
    hint="rename one of them",
    why="A guide has the page of its name below the folder that `guides` names, so each name can be used once.",
)
GUIDE_TEXT = DiagnosticKind(
    code="site/guide-text",
    severity=Severity.ERROR,
    message="the guide `{path}` is not UTF-8",
    hint="save it as UTF-8",
    why="Guides are Markdown in UTF-8.",
)
GUIDE_LINK = DiagnosticKind(
    code="site/guide-link",
    severity=Severity.WARNING,
    message="`{address}` {problem}",
    hint="{suggestion}",
    why=(
        "A guide links by HTTP or HTTPS, to a mailbox, or relative to itself: to another guide, an image beside "
        "it, or a page of the site such as `../weather/index.html`. A site loads nothing from elsewhere, so "
        "images are files of the project."
    ),
    example="[start](strat.md)",
)
KINDS = (CONTRAST, VERSION, IMAGE, GUIDE_NAME, GUIDE_TEXT, GUIDE_LINK)
