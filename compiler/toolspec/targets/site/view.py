"""View of the site templates: the values that a page shows, besides those of the docs target.

Every `str` is escaped when a template writes it. `Code` is HTML of the compiler, which is written as it is.
`VIEW_VERSION` changes when a field is renamed or removed, or gets another meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.targets.docs.view import Snippet
    from toolspec.targets.templates import Code

VIEW_VERSION = 1


@dataclass(frozen=True, slots=True)
class PageView:
    """A page, as `page` in every template."""

    title: str
    """Title of the page."""
    root: str
    """Path from the page to the folder of the site: empty, or `../`."""
    site_title: str
    """Title of the site."""
    connect: str = ""
    """Origins that a script of the page may call; empty for none."""
    section: str = ""
    """Chosen item of the header: `safety`, `guides`, `changelog`, or empty."""
    path: str = ""
    """Path of the page from the folder of the site."""
    logo: str = ""
    """File name of the logo in the folder of the site; empty without one."""
    has_guides: bool = False
    """Whether the site has guides."""
    version: str = ""
    """Version that the site is of, whose name its folder has; empty without versions."""


@dataclass(frozen=True, slots=True)
class GuideView:
    """A guide: a Markdown file of the project, as `guide` in `guide.html.jinja`."""

    title: str
    """Title: the first heading of the file."""
    page: str
    """Address of the page in the folder of the guides."""
    body: Code
    """The file as HTML, with its first heading."""
    guides: tuple[GuideLink, ...]
    """All guides, in the order of the sidebar."""


@dataclass(frozen=True, slots=True)
class GuideLink:
    """A guide where it is only named."""

    title: str
    """Title of the guide."""
    page: str
    """Address of the page in the folder of the guides."""
    summary: str
    """The first paragraph on one line."""


@dataclass(frozen=True, slots=True)
class Sidebar:
    """Tools of a service, as `sidebar` on its pages."""

    title: str
    """Title of the service."""
    current: str
    """Page that is shown."""
    groups: tuple[SidebarGroup, ...]
    """Groups of the service, each with those of its tools that are listed."""
    has_types: bool
    """Whether the service has a page of types."""


@dataclass(frozen=True, slots=True)
class SidebarGroup:
    """A group of tools; of a large service only the group of the page lists its tools."""

    name: str
    """Name of the group; empty for tools without one."""
    anchor: str
    """Fragment of the group on the page of the service."""
    links: tuple[SidebarLink, ...]
    """Links to tools."""
    more: int
    """Number of tools that are not listed."""


@dataclass(frozen=True, slots=True)
class SidebarLink:
    """A link to a tool."""

    page: str
    """Page of the tool."""
    name: str
    """Name of the tool within its service."""
    safety: str
    """`read-only`, `writes` or `destructive`."""


@dataclass(frozen=True, slots=True)
class CallView:
    """What a page of a tool shows besides the tool, as `call` in `tool.html.jinja`."""

    safety: str
    """`read-only`, `writes` or `destructive`."""
    asks: bool
    """Whether a person is asked before a call."""
    snippets: tuple[Snippet, ...]
    """Programs that call the tool."""
    providers: tuple[ProviderView, ...]
    """The tool as it is sent to each provider of the project."""
    versions: tuple[tuple[str, str], ...]
    """Other versions of the tool, each with its page."""
    edit: str
    """Address at which the document is edited; empty without one."""
    trial: TrialView | None = None
    """What the form that calls the tool needs; none unless servers are configured."""


@dataclass(frozen=True, slots=True)
class TrialView:
    """A form that calls a tool."""

    servers: str
    """Addresses of servers as JSON, or `"any"`."""
    schema: str
    """Schema of the arguments as JSON, `{}` for a large one."""


@dataclass(frozen=True, slots=True)
class ProviderView:
    """A tool as it is sent to a provider."""

    target: str
    """Name of the target."""
    tokens: str
    """Size in tokens; empty where the tool is not sent."""
    form: str
    """`strict`, `loose` or `left out`."""
    losses: tuple[LossView, ...]
    """Keywords that the provider does not enforce as written."""


@dataclass(frozen=True, slots=True)
class LossView:
    """A keyword of the arguments that a provider's list does not keep."""

    argument: str
    """Dotted name of the argument; empty for all of them."""
    keyword: str
    """The keyword."""
    outcome: str
    """`moved` to the description, `narrowed`, `widened` or `refused`."""


@dataclass(frozen=True, slots=True)
class ListingView:
    """Tools that have something in common, as `listing` in `listing.html.jinja`."""

    key: str
    """Key of the class, such as `readOnly`; `scopes` or `effects` for pages of several lists."""
    lists: tuple[ToolList, ...]
    """Lists of tools; one for a safety class."""


@dataclass(frozen=True, slots=True)
class ToolList:
    """A list of tools."""

    name: str
    """Name of the scope or effect; empty for a safety class."""
    tools: tuple[ListedTool, ...]
    """The tools."""


@dataclass(frozen=True, slots=True)
class ListedTool:
    """A tool in a list."""

    name: str
    """Exact name."""
    page: str
    """Page of the tool, from the folder of the site."""
    summary: str
    """One line on the tool."""
    flags: tuple[str, ...]
    """Safety and other flags, in words."""
