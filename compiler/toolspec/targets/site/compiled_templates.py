"""Templates of the site target as functions; `make reference` writes them from `templates/`."""

# mypy: ignore-errors

from __future__ import annotations

from toolspec.targets.template_runtime import LoopContext, str_join

missing = None


def _approval_html(context, environment):
    l_1_words = 'The agent calls the tool. The server asks a person. After a yes the tool runs and its result goes back; after a no it does not run.'
    yield '<figure class="flow">\n<svg class="across" viewBox="0 0 640 132" role="img" aria-label="'
    yield environment.write(l_1_words)
    yield '">\n<g class="box"><rect x="1" y="20" width="118" height="44" rx="8"/><rect x="181" y="20" width="118" height="44" rx="8"/><rect class="ask" x="361" y="20" width="118" height="44" rx="22"/><rect x="521" y="20" width="118" height="44" rx="8"/></g>\n<g class="line"><path d="M119 42h56m-7-5 7 5-7 5"/><path d="M299 42h56m-7-5 7 5-7 5"/><path d="M479 42h36m-7-5 7 5-7 5"/><path d="M580 64v44H60V70m-5 7 5-7 5 7"/><path class="no" d="M420 64v22H240V70"/><path d="m235 77 5-7 5 7"/></g>\n<g class="words"><text x="60" y="47">Agent</text><text x="240" y="47">Server</text><text x="420" y="47">Person</text><text x="580" y="47">Tool</text><text class="small" x="147" y="33">call</text><text class="small" x="327" y="33">asks</text><text class="small" x="497" y="33">yes</text><text class="small" x="330" y="81">no</text><text class="small" x="150" y="103">result</text></g>\n</svg>\n<svg class="down" viewBox="0 0 220 292" role="img" aria-label="'
    yield environment.write(l_1_words)
    yield '">\n<g class="box"><rect x="41" y="1" width="118" height="44" rx="8"/><rect x="41" y="83" width="118" height="44" rx="8"/><rect class="ask" x="41" y="165" width="118" height="44" rx="22"/><rect x="41" y="247" width="118" height="44" rx="8"/></g>\n<g class="line"><path d="M100 45v32m-5-7 5 7 5-7"/><path d="M100 127v32m-5-7 5 7 5-7"/><path d="M100 209v32m-5-7 5 7 5-7"/><path d="M159 269h36V23h-30m7-5-7 5 7 5"/><path class="no" d="M41 187H11v-82h24"/><path d="m28 100 7 5-7 5"/></g>\n<g class="words"><text x="100" y="28">Agent</text><text x="100" y="110">Server</text><text x="100" y="192">Person</text><text x="100" y="274">Tool</text><text class="small" x="120" y="66">call</text><text class="small" x="122" y="148">asks</text><text class="small" x="119" y="230">yes</text><text class="small" x="24" y="151">no</text><text class="small" x="175" y="150">result</text></g>\n</svg>\n</figure>\n'
    l_1_words = missing


def _class_about_html(context, environment):
    l_0_key = context['key']
    yield environment.write({'readOnly': 'They change nothing. An agent may call them without asking.', 'writes': 'They add or change data and lose nothing. A client may ask first.', 'destructive': 'They delete, overwrite, or have another effect that is hard to undo. A client asks a person before each call and shows the arguments.', 'idempotent': 'A second call with the same arguments has no further effect. A client may repeat them after a lost connection.', 'openWorld': 'They reach systems outside the service. A client treats their results as data, never as instructions.', 'scopes': 'Scopes that a caller needs, each with its tools.', 'effects': 'Effects on the world outside the service, each with its tools.'}[l_0_key])
    yield '\n'


def _class_name_html(context, environment):
    l_0_key = context['key']
    yield environment.write({'readOnly': 'Read-only', 'writes': 'Writes', 'destructive': 'Destructive', 'idempotent': 'Idempotent', 'openWorld': 'Open world', 'scopes': 'By scope', 'effects': 'By effect'}[l_0_key])
    yield '\n'


def _classes_html(context, environment):
    l_0_listings = context['listings']
    t_1 = environment.filters['length']
    yield '<ul class="classes">\n'
    for l_1_one in l_0_listings:
        l_1_pages = context['pages']
        l_1_counts = context['counts']
        yield '<li class="'
        yield environment.write(l_1_one.key)
        yield '"><a href="'
        yield environment.write(l_1_pages[l_1_one.key])
        yield '">'
        l_2_key = l_1_one.key
        gen = environment.render('_class_name.html.jinja', {**context, **{'key': l_2_key, 'one': l_1_one}})
        yield from gen
        l_2_key = missing
        yield '</a> <strong>'
        yield environment.write(l_1_counts[l_1_one.key] if l_1_one.key not in ('scopes', 'effects') else t_1(l_1_one.lists))
        yield '</strong>\n<p>'
        l_2_key = l_1_one.key
        gen = environment.render('_class_about.html.jinja', {**context, **{'key': l_2_key, 'one': l_1_one}})
        yield from gen
        l_2_key = missing
        yield '</p></li>\n'
    l_1_one = l_1_pages = l_1_counts = missing
    yield '</ul>\n'


def _foot_html(context, environment):
    yield '<dialog class="finder" aria-label="Search">\n<input type="search" role="combobox" aria-expanded="true" aria-controls="found" aria-label="Search tools, arguments, types and errors" placeholder="Tool, argument, type or error" autocomplete="off" spellcheck="false">\n<ul id="found" role="listbox" aria-label="Results"></ul>\n<p class="hint"><kbd>↑</kbd> <kbd>↓</kbd> to choose, <kbd>Enter</kbd> to open, <kbd>Esc</kbd> to close</p>\n</dialog>\n</body>\n</html>\n'


def _head_html(context, environment):
    l_0_page = context['page']
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; script-src \'self\'; style-src \'self\'; img-src \'self\' data:;'
    if l_0_page.connect:
        yield ' connect-src '
        yield environment.write(l_0_page.connect)
        yield ';'
    yield ' base-uri \'none\'; form-action \'none\'">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n<title>'
    yield environment.write(l_0_page.title)
    if l_0_page.title != l_0_page.site_title:
        yield ' · '
        yield environment.write(l_0_page.site_title)
    yield '</title>\n'
    if l_0_page.logo:
        yield '<link rel="icon" href="'
        yield environment.write(l_0_page.root)
        yield environment.write(l_0_page.logo)
        yield '">\n'
    else:
        yield '<link rel="icon" href="data:,">\n'
    yield '<link rel="stylesheet" href="'
    yield environment.write(l_0_page.root)
    yield 'site.css">\n<script src="'
    yield environment.write(l_0_page.root)
    yield 'site.js"></script>\n'
    if l_0_page.version:
        yield '<script src="'
        yield environment.write(l_0_page.root)
        yield '../versions.js"></script>\n'
    yield '</head>\n<body data-root="'
    yield environment.write(l_0_page.root)
    yield '"'
    if l_0_page.version:
        yield ' data-page="'
        yield environment.write(l_0_page.path)
        yield '"'
    yield '>\n<a class="skip" href="#main">Skip to the content</a>\n<header class="top">\n<a class="home" href="'
    yield environment.write(l_0_page.root)
    yield 'index.html">'
    if l_0_page.logo:
        yield '<img src="'
        yield environment.write(l_0_page.root)
        yield environment.write(l_0_page.logo)
        yield '" alt="">'
    yield environment.write(l_0_page.site_title)
    yield '</a>\n'
    if l_0_page.version:
        yield '<a class="version" href="'
        yield environment.write(l_0_page.root)
        yield '../index.html">'
        yield environment.write(l_0_page.version)
        yield '</a>\n'
    yield '<button class="search" type="button" aria-haspopup="dialog" hidden>Search <kbd>/</kbd></button>\n<nav aria-label="Site">\n'
    if l_0_page.has_guides:
        yield '<a href="'
        yield environment.write(l_0_page.root)
        yield 'guides/index.html"'
        if l_0_page.section == 'guides':
            yield ' aria-current="true"'
        yield '>Guides</a>\n'
    yield '<a href="'
    yield environment.write(l_0_page.root)
    yield 'safety.html"'
    if l_0_page.section == 'safety':
        yield ' aria-current="true"'
    yield '>Safety</a>\n<a href="'
    yield environment.write(l_0_page.root)
    yield 'changelog.html"'
    if l_0_page.section == 'changelog':
        yield ' aria-current="true"'
    yield '>Changelog</a>\n</nav>\n<button class="theme" type="button" aria-label="Light or dark" hidden></button>\n</header>\n'


def _members_html(context, environment):
    l_0_rows = context['rows']
    t_1 = environment.filters['fragment']
    yield '<ul class="members">\n'
    for l_1_row in l_0_rows:
        l_1_prefix = context['prefix']
        l_1_presence = context['presence']
        yield '<li'
        if l_1_prefix:
            yield ' id="'
            yield environment.write(l_1_prefix)
            yield environment.write(t_1(l_1_row.path))
            yield '"'
        yield '><div>'
        yield environment.write(l_1_row.name)
        yield ' <span class="type">'
        yield environment.write(l_1_row.type)
        yield '</span>'
        if l_1_row.is_required:
            yield ' <span class="'
            yield environment.write(l_1_presence)
            yield '">'
            yield environment.write(l_1_presence)
            yield '</span>'
        if l_1_row.default:
            yield ' <span class="default">default '
            yield environment.write(l_1_row.default)
            yield '</span>'
        if l_1_prefix:
            yield ' <a class="anchor" href="#'
            yield environment.write(l_1_prefix)
            yield environment.write(t_1(l_1_row.path))
            yield '" aria-label="Link to '
            yield environment.write(l_1_row.path)
            yield '">#</a>'
        yield '</div>'
        if l_1_row.about:
            yield '<p>'
            yield environment.write(l_1_row.about)
            yield '</p>'
        yield '</li>\n'
    l_1_row = l_1_prefix = l_1_presence = missing
    yield '</ul>\n'


def _safety_html(context, environment):
    l_0_call = context['call']
    l_0_tool = context['tool']
    t_1 = environment.filters['code']
    t_2 = environment.filters['join']
    t_3 = environment.filters['length']
    t_4 = environment.filters['map']
    t_5 = environment.filters['prose']
    t_6 = environment.tests['none']
    yield '<section class="safety '
    yield environment.write(l_0_call.safety)
    yield '" aria-labelledby="safety">\n<h2 id="safety">Safety</h2>\n'
    if l_0_call.safety == 'read-only':
        yield '<p><strong>Changes nothing.</strong> '
        yield environment.write('A person is asked before the call.' if l_0_call.asks else 'An agent may call it without asking.')
        yield '</p>\n'
    elif l_0_call.safety == 'writes':
        yield '<p><strong>Adds or changes data, and loses nothing.</strong> '
        yield environment.write('A person is asked before the call.' if l_0_call.asks else 'A client may ask first.')
        yield '</p>\n'
    else:
        yield '<p><strong>Deletes, overwrites, or has another effect that is hard to undo.</strong> A person sees the arguments and is asked before each call.</p>\n'
    yield '<ul>\n'
    if l_0_tool.notes.effects:
        yield '<li>Effects: '
        yield environment.write(t_2(l_0_tool.notes.effects, ', '))
        yield '.</li>\n'
    if l_0_tool.risk_reason:
        yield '<li>Risk tier '
        yield environment.write(l_0_tool.risk_tier)
        yield ': '
        yield environment.write(t_5(l_0_tool.risk_reason))
        yield '</li>\n'
    if l_0_tool.notes.scopes:
        yield '<li>Needs the scope'
        yield environment.write('' if t_3(l_0_tool.notes.scopes) == 1 and t_3(l_0_tool.notes.scopes[0]) == 1 else 's')
        yield ' '
        l_1_loop = missing
        for l_1_names, l_1_loop in LoopContext(l_0_tool.notes.scopes):
            if t_3(l_1_names) > 1:
                yield '('
                yield environment.write(t_2(t_4(context, l_1_names, 'code'), ' or '))
                yield ')'
            else:
                yield environment.write(t_1(l_1_names[0]))
            if not l_1_loop.last:
                yield ' and '
        l_1_loop = l_1_names = missing
        yield '.</li>\n'
    if l_0_tool.notes.permissions:
        yield '<li>Asks for permission before each run: '
        l_1_loop = missing
        for l_1_permission, l_1_loop in LoopContext(l_0_tool.notes.permissions):
            if not l_1_loop.first:
                yield ', '
            yield environment.write({'file': 'the files', 'web': 'the web host', 'tool': 'the tool'}[l_1_permission.kind])
            yield ' '
            yield environment.write(t_1(l_1_permission.resource))
            if l_1_permission.operation:
                yield ' ('
                yield environment.write(t_1(l_1_permission.operation))
                yield ')'
        l_1_loop = l_1_permission = missing
        yield '.</li>\n'
    if l_0_tool.notes.revert:
        yield '<li>Its effect can be reverted.</li>\n'
    if l_0_tool.notes.verify:
        yield '<li>Its result is verified before it is returned.</li>\n'
    if l_0_tool.notes.request:
        yield '<li>Sends the HTTP request '
        yield environment.write(t_1(l_0_tool.notes.request))
        yield '.</li>\n'
    if l_0_tool.notes.idempotency:
        yield '<li>Can be repeated safely: an <code>idempotency_key</code> is '
        yield environment.write(l_0_tool.notes.idempotency)
        yield '.</li>\n'
    if l_0_tool.notes.task_support == 'optional':
        yield '<li>May run as a task.</li>\n'
    elif l_0_tool.notes.task_support == 'required':
        yield '<li>Runs only as a task.</li>\n'
    if l_0_tool.notes.timeouts:
        yield '<li>Times out after '
        yield environment.write(t_2(l_0_tool.notes.timeouts, ', or '))
        yield '.</li>\n'
    if not t_6(l_0_tool.notes.result_bytes):
        yield '<li>Returns at most '
        yield environment.write(l_0_tool.notes.result_bytes)
        yield ' bytes.</li>\n'
    if l_0_tool.notes.ignores_formats:
        yield '<li>Formats and encodings of values are documented, not checked.</li>\n'
    yield '</ul>\n'
    if l_0_call.asks:
        gen = environment.render('_approval.html.jinja', {**context, **{}})
        yield from gen
    yield '</section>\n'


def _sidebar_html(context, environment):
    l_0_sidebar = context['sidebar']
    yield '<nav class="side" aria-label="'
    yield environment.write(l_0_sidebar.title)
    yield '">\n<details open>\n<summary>'
    yield environment.write(l_0_sidebar.title)
    yield '</summary>\n<ul>\n<li><a href="index.html"'
    if l_0_sidebar.current == 'index.html':
        yield ' aria-current="page"'
    yield '>Overview</a></li>\n'
    if l_0_sidebar.has_types:
        yield '<li><a href="types.html"'
        if l_0_sidebar.current == 'types.html':
            yield ' aria-current="page"'
        yield '>Types</a></li>\n'
    yield '</ul>\n'
    l_1_loop = missing
    for l_1_group, l_1_loop in LoopContext(l_0_sidebar.groups):
        yield '<p><a href="index.html#'
        yield environment.write(l_1_group.anchor)
        yield '">'
        yield environment.write(l_1_group.name or ('Tools' if l_1_loop.length == 1 else 'Other tools'))
        yield '</a>'
        if l_1_group.more and (not l_1_group.links):
            yield ' <small>'
            yield environment.write(l_1_group.more)
            yield '</small>'
        yield '</p>\n'
        if l_1_group.links:
            yield '<ul>\n'
            for l_2_link in l_1_group.links:
                yield '<li><a class="'
                yield environment.write(l_2_link.safety)
                yield '" href="'
                yield environment.write(l_2_link.page)
                yield '"'
                if l_0_sidebar.current == l_2_link.page:
                    yield ' aria-current="page"'
                yield '>'
                yield environment.write(l_2_link.name)
                yield '</a></li>\n'
            l_2_link = missing
            if l_1_group.more:
                yield '<li><a href="index.html#'
                yield environment.write(l_1_group.anchor)
                yield '">'
                yield environment.write(l_1_group.more)
                yield ' more</a></li>\n'
            yield '</ul>\n'
    l_1_loop = l_1_group = missing
    yield '</details>\n</nav>\n'


def _tools_html(context, environment):
    l_0_tools = context['tools']
    t_1 = environment.filters['badge']
    t_2 = environment.filters['prose']
    yield '<ul class="tools">\n'
    for l_1_tool in l_0_tools:
        l_1_has_summaries = context['has_summaries']
        yield '<li><a href="'
        yield environment.write(l_1_tool.page)
        yield '">'
        yield environment.write(l_1_tool.name)
        yield '</a> '
        for l_2_flag in l_1_tool.flags:
            yield environment.write(t_1(l_2_flag))
        l_2_flag = missing
        if l_1_has_summaries:
            yield '<p>'
            yield environment.write(t_2(l_1_tool.summary))
            yield '</p>'
        yield '</li>\n'
    l_1_tool = l_1_has_summaries = missing
    yield '</ul>\n'


def _try_html(context, environment):
    l_0_tool = context['tool']
    l_0_call = context['call']
    l_0_page = context['page']
    t_1 = environment.filters['whole']
    yield '<section class="trial" aria-labelledby="try">\n<h2 id="try">Try it</h2>\n<div class="try" data-tool="'
    yield environment.write(l_0_tool.name)
    yield '" data-safety="'
    yield environment.write(l_0_call.safety)
    yield '" data-servers="'
    yield environment.write(t_1(l_0_call.trial.servers))
    yield '" data-schema="'
    yield environment.write(t_1(l_0_call.trial.schema))
    yield '"></div>\n<script src="'
    yield environment.write(l_0_page.root)
    yield 'try.js"></script>\n</section>\n'


def changelog_html(context, environment):
    l_0_changelog = context['changelog']
    t_1 = environment.filters['code']
    t_2 = environment.filters['prose']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main" class="wide">\n<h1>Changelog</h1>\n'
    if l_0_changelog:
        yield '<p class="lead">Changes of the tools that callers notice, the newest first.</p>\n'
        for l_1_entry in l_0_changelog.entries:
            yield '<section class="entry">\n<h2>'
            yield environment.write(l_1_entry.day)
            yield ' · '
            yield environment.write(l_1_entry.service)
            if l_1_entry.version:
                yield ' '
                yield environment.write(l_1_entry.version)
            yield '</h2>\n<ul class="members">\n'
            for l_2_change in l_1_entry.changes:
                l_2_tool_pages = context['tool_pages']
                yield '<li><div><span class="badge '
                yield environment.write(l_2_change.level)
                yield '">'
                yield environment.write(l_2_change.level)
                yield '</span> '
                if l_2_change.name in l_2_tool_pages:
                    yield '<a href="'
                    yield environment.write(l_2_tool_pages[l_2_change.name])
                    yield '">'
                    yield environment.write(t_1(l_2_change.name))
                    yield '</a>'
                else:
                    yield environment.write(t_1(l_2_change.name))
                yield '</div><p>'
                yield environment.write(t_2(l_2_change.message))
                if l_2_change.until:
                    yield ' (until '
                    yield environment.write(l_2_change.until)
                    yield ')'
                yield '</p>'
                if l_2_change.reason:
                    yield '<p class="reason">'
                    yield environment.write(t_2(l_2_change.reason))
                    yield '</p>'
                yield '</li>\n'
            l_2_change = l_2_tool_pages = missing
            yield '</ul>\n</section>\n'
        l_1_entry = missing
    else:
        yield '<p class="lead">No change was recorded yet.</p>\n'
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def guide_html(context, environment):
    l_0_guide = context['guide']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<nav class="side" aria-label="Guides">\n<details open>\n<summary>Guides</summary>\n<ul>\n'
    for l_1_one in l_0_guide.guides:
        l_1_page = context['page']
        yield '<li><a href="'
        yield environment.write(l_1_page.root)
        yield 'guides/'
        yield environment.write(l_1_one.page)
        yield '"'
        if l_1_one.page == l_0_guide.page:
            yield ' aria-current="page"'
        yield '>'
        yield environment.write(l_1_one.title)
        yield '</a></li>\n'
    l_1_one = l_1_page = missing
    yield '</ul>\n</details>\n</nav>\n<main id="main" class="guide">\n'
    yield environment.write(l_0_guide.body)
    yield '\n</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def guides_html(context, environment):
    l_0_guides = context['guides']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main" class="wide">\n<h1>Guides</h1>\n<ul class="cards">\n'
    for l_1_guide in l_0_guides:
        yield '<li><a href="'
        yield environment.write(l_1_guide.page)
        yield '"><strong>'
        yield environment.write(l_1_guide.title)
        yield '</strong></a><p>'
        yield environment.write(l_1_guide.summary)
        yield '</p></li>\n'
    l_1_guide = missing
    yield '</ul>\n</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def index_html(context, environment):
    l_0_page = context['page']
    l_0_services = context['services']
    t_1 = environment.filters['text']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main" class="wide">\n<h1>'
    yield environment.write(l_0_page.site_title)
    yield '</h1>\n<ul class="cards">\n'
    for l_1_service in l_0_services:
        yield '<li><a href="'
        yield environment.write(l_1_service.page)
        yield '"><strong>'
        yield environment.write(l_1_service.title or l_1_service.name)
        yield '</strong> <small>'
        yield environment.write(l_1_service.version)
        yield '</small></a>'
        yield environment.write(t_1(l_1_service.description))
        yield '<p class="facts">'
        yield environment.write(l_1_service.tools)
        yield ' tool'
        yield environment.write('' if l_1_service.tools == 1 else 's')
        yield ' · about '
        yield environment.write(l_1_service.tokens)
        yield ' tokens</p></li>\n'
    l_1_service = missing
    yield '</ul>\n<h2>Tools by safety</h2>\n'
    gen = environment.render('_classes.html.jinja', {**context, **{}})
    yield from gen
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def listing_html(context, environment):
    l_0_listings = context['listings']
    l_0_listing = context['listing']
    t_1 = environment.filters['code']
    t_2 = environment.filters['fragment']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<nav class="side" aria-label="Safety">\n<details open>\n<summary>Safety</summary>\n<ul>\n'
    for l_1_one in l_0_listings:
        l_1_pages = context['pages']
        yield '<li><a href="'
        yield environment.write(l_1_pages[l_1_one.key])
        yield '"'
        if l_1_one.key == l_0_listing.key:
            yield ' aria-current="page"'
        yield '>'
        l_2_key = l_1_one.key
        gen = environment.render('_class_name.html.jinja', {**context, **{'key': l_2_key, 'one': l_1_one}})
        yield from gen
        l_2_key = missing
        yield '</a></li>\n'
    l_1_one = l_1_pages = missing
    yield '</ul>\n</details>\n</nav>\n<main id="main">\n<h1>'
    l_1_key = l_0_listing.key
    gen = environment.render('_class_name.html.jinja', {**context, **{'key': l_1_key}})
    yield from gen
    l_1_key = missing
    yield '</h1>\n<p class="lead">'
    l_1_key = l_0_listing.key
    gen = environment.render('_class_about.html.jinja', {**context, **{'key': l_1_key}})
    yield from gen
    l_1_key = missing
    yield '</p>\n'
    for l_1_list in l_0_listing.lists:
        if l_1_list.name:
            yield '<h2 id="'
            yield environment.write(t_2(l_1_list.name))
            yield '">'
            yield environment.write(t_1(l_1_list.name))
            yield '</h2>\n'
        l_2_tools = l_1_list.tools
        gen = environment.render('_tools.html.jinja', {**context, **{'tools': l_2_tools, 'list': l_1_list}})
        yield from gen
        l_2_tools = missing
    l_1_list = missing
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def safety_html(context, environment):
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main" class="wide">\n<h1>Tools by safety</h1>\n'
    gen = environment.render('_classes.html.jinja', {**context, **{}})
    yield from gen
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def service_html(context, environment):
    l_0_service = context['service']
    t_1 = environment.filters['badge']
    t_2 = environment.filters['code']
    t_3 = environment.filters['fragment']
    t_4 = environment.filters['join']
    t_5 = environment.filters['json']
    t_6 = environment.filters['map']
    t_7 = environment.filters['program']
    t_8 = environment.filters['prose']
    t_9 = environment.filters['text']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    gen = environment.render('_sidebar.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main">\n<h1>'
    yield environment.write(l_0_service.title or l_0_service.name)
    yield '</h1>\n<p class="name"><code>'
    yield environment.write(l_0_service.name)
    yield '</code> <span class="badge">'
    yield environment.write(l_0_service.version)
    yield '</span>'
    if l_0_service.category:
        yield '<span class="badge">'
        yield environment.write(l_0_service.category)
        yield '</span>'
    yield '</p>\n'
    yield environment.write(t_9(l_0_service.description))
    yield '\n'
    if l_0_service.common_flags:
        yield '<p>All tools: '
        for l_1_flag in l_0_service.common_flags:
            yield environment.write(t_1(l_1_flag))
        l_1_flag = missing
        yield '</p>\n'
    if l_0_service.instructions:
        yield '<section aria-labelledby="instructions">\n<h2 id="instructions">Instructions</h2>\n'
        yield environment.write(t_9(l_0_service.instructions))
        yield '\n</section>\n'
    l_1_loop = missing
    for l_1_group, l_1_loop in LoopContext(l_0_service.groups):
        yield '<section aria-label="'
        yield environment.write(l_1_group.name or 'Tools')
        yield '">\n<h2 id="group-'
        yield environment.write(t_3(l_1_group.name))
        yield '">'
        yield environment.write(l_1_group.name or ('Tools' if l_1_loop.length == 1 else 'Other tools'))
        yield '</h2>\n<ul class="tools">\n'
        for l_2_tool in l_1_group.tools:
            l_2_has_summaries = context['has_summaries']
            yield '<li>'
            yield environment.write(l_2_tool.link)
            yield ' '
            for l_3_flag in l_2_tool.own_flags:
                yield environment.write(t_1(l_3_flag))
            l_3_flag = missing
            if l_2_has_summaries:
                yield '<p>'
                yield environment.write(t_8(l_2_tool.summary))
                yield '</p>'
            yield '</li>\n'
        l_2_tool = l_2_has_summaries = missing
        yield '</ul>\n</section>\n'
    l_1_loop = l_1_group = missing
    yield '<section aria-labelledby="connect">\n<h2 id="connect">Connect</h2>\n<p>A client connects to a server of the service, such as <code>toolspec serve --transport http</code>. Where the server names who issues its tokens, Claude Code (<code>/mcp</code>), Claude Desktop, VS Code and Cursor sign in with a browser.'
    if l_0_service.calls.connect.scopes:
        yield ' Tools of this service need the scopes '
        yield environment.write(t_4(t_6(context, l_0_service.calls.connect.scopes, 'code'), ', '))
        yield '.'
    yield '</p>\n<p>A bearer token is in the environment variable <code>TOOLSPEC_TOKEN</code>. VS Code asks for it and keeps it; Claude Desktop needs it in its configuration, which is not to be shared then.</p>\n<div class="tabs">\n'
    for l_1_snippet, l_1_with_token in l_0_service.calls.connect.clients:
        yield '<section class="tab"><h3>'
        yield environment.write(l_1_snippet.title)
        yield '</h3>'
        yield environment.write(t_7(l_1_snippet))
        yield '<p>With a bearer token:</p>'
        yield environment.write(t_7(l_1_with_token))
        yield '</section>\n'
    l_1_snippet = l_1_with_token = missing
    yield '</div>\n</section>\n'
    if l_0_service.auth:
        yield '<section aria-labelledby="credentials">\n<h2 id="credentials">Signing in</h2>\n<p>Callers sign in with '
        yield environment.write('OAuth 2.0' if l_0_service.auth.is_oauth else 'the credentials below')
        yield '. '
        yield environment.write('Each caller signs in and uses their own account.' if l_0_service.auth.is_per_user else 'One account serves all callers; an administrator sets it up.')
        if l_0_service.auth.authorization_url:
            yield ' Access is granted at '
            yield environment.write(t_2(l_0_service.auth.authorization_url))
            yield '.'
        if l_0_service.auth.token_url:
            yield ' Tokens come from '
            yield environment.write(t_2(l_0_service.auth.token_url))
            yield '.'
        yield '</p>\n'
        if l_0_service.auth.fields:
            l_1_rows = l_0_service.auth.fields.rows
            l_1_presence = 'required'
            l_1_prefix = ''
            gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_1_prefix, 'presence': l_1_presence, 'rows': l_1_rows}})
            yield from gen
            l_1_rows = l_1_presence = l_1_prefix = missing
        if l_0_service.auth.scopes:
            yield '<ul class="members">\n'
            for l_1_scope in l_0_service.auth.scopes:
                yield '<li><div>'
                yield environment.write(t_2(l_1_scope.name))
                yield ' <span class="type">scope</span></div><p>'
                yield environment.write(t_8(l_1_scope.description))
                yield '</p></li>\n'
            l_1_scope = missing
            yield '</ul>\n'
        yield '</section>\n'
    if l_0_service.settings:
        yield '<section aria-labelledby="settings">\n<h2 id="settings">Settings</h2>\n<p>An administrator sets these once for all callers. '
        yield environment.write(l_0_service.settings.about)
        yield '</p>\n'
        l_1_rows = l_0_service.settings.rows
        l_1_presence = 'required'
        l_1_prefix = ''
        gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_1_prefix, 'presence': l_1_presence, 'rows': l_1_rows}})
        yield from gen
        l_1_rows = l_1_presence = l_1_prefix = missing
        yield '</section>\n'
    if l_0_service.instances or l_0_service.modes:
        yield '<section aria-labelledby="instances">\n<h2 id="instances">Instances and modes</h2>\n<ul class="members">\n'
        for l_1_instance in l_0_service.instances:
            yield '<li><div>'
            yield environment.write(t_2(l_1_instance.name))
            yield ' <span class="type">instance</span> '
            yield environment.write(l_1_instance.title)
            yield '</div><p>'
            yield environment.write(t_8(l_1_instance.description))
            yield '</p></li>\n'
        l_1_instance = missing
        for l_1_mode in l_0_service.modes:
            yield '<li><div>'
            yield environment.write(t_2(l_1_mode.name))
            yield ' <span class="type">mode</span></div><p>'
            yield environment.write(t_8(l_1_mode.description))
            yield '</p></li>\n'
        l_1_mode = missing
        yield '</ul>\n</section>\n'
    if l_0_service.errors:
        yield '<section aria-labelledby="errors">\n<h2 id="errors">Errors</h2>\n<ul class="members">\n'
        for l_1_error in l_0_service.errors:
            yield '<li><div>'
            yield environment.write(t_2(l_1_error.code))
            yield ' <span class="type">'
            yield environment.write('a later call may succeed' if l_1_error.retryable else 'not retryable')
            yield '</span></div><p>'
            yield environment.write(t_8(l_1_error.description))
            yield ' '
            yield environment.write(t_4(l_1_error.tools, ', '))
            yield '</p></li>\n'
        l_1_error = missing
        yield '</ul>\n</section>\n'
    if l_0_service.extensions:
        yield '<section aria-labelledby="extensions">\n<h2 id="extensions">Extensions</h2>\n<ul>\n'
        for l_1_name, l_1_value in l_0_service.extensions.items():
            yield '<li>'
            yield environment.write(t_2(l_1_name))
            yield ': '
            yield environment.write(t_5(l_1_value))
            yield '</li>\n'
        l_1_name = l_1_value = missing
        yield '</ul>\n</section>\n'
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def site_css(context, environment):
    l_0_accent = context['accent']
    yield ':root {\n  color-scheme: light;\n  --back: #fff; --soft: #f6f7f9; --line: #e3e6ea; --text: #1b1f24; --dim: #59636e; --accent: '
    yield environment.write(l_0_accent.light)
    yield ';\n  --code: #f6f7f9; --green: #116329; --green-back: #dafbe1; --amber: #7a4d00; --amber-back: #fff1c2; --red: #a40e26; --red-back: #ffe3e1; --violet: #6639ba; --violet-back: #f1e8ff;\n  --string: #0a5e2f; --number: #0550ae; --word: #6639ba; --comment: #59636e;\n}\n@media screen {\n  :root[data-theme="dark"] {\n    color-scheme: dark;\n    --back: #0f1216; --soft: #171b21; --line: #2b313a; --text: #e6e9ee; --dim: #a0a9b4; --accent: '
    yield environment.write(l_0_accent.dark)
    yield ';\n    --code: #171b21; --green: #7ee2a0; --green-back: #10301c; --amber: #f2c35d; --amber-back: #362905; --red: #ffa8a3; --red-back: #43150f; --violet: #cdb2ff; --violet-back: #2c1d4a;\n    --string: #8fdcae; --number: #8ec5ff; --word: #cdb2ff; --comment: #a0a9b4;\n  }\n}\n@media screen and (prefers-color-scheme: dark) {\n  :root:not([data-theme="light"]) {\n    color-scheme: dark;\n    --back: #0f1216; --soft: #171b21; --line: #2b313a; --text: #e6e9ee; --dim: #a0a9b4; --accent: '
    yield environment.write(l_0_accent.dark)
    yield ';\n    --code: #171b21; --green: #7ee2a0; --green-back: #10301c; --amber: #f2c35d; --amber-back: #362905; --red: #ffa8a3; --red-back: #43150f; --violet: #cdb2ff; --violet-back: #2c1d4a;\n    --string: #8fdcae; --number: #8ec5ff; --word: #cdb2ff; --comment: #a0a9b4;\n  }\n}\n* { box-sizing: border-box; }\nhtml { scroll-padding-top: 4.5rem; }\nbody { margin: 0; background: var(--back); color: var(--text); font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; display: grid; grid-template-columns: 17rem minmax(0, 1fr); overflow-wrap: break-word; }\na { color: var(--accent); text-underline-offset: .15em; }\nmain a:not(.anchor) { text-decoration-thickness: 1px; }\n:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }\ncode, pre, kbd { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }\ncode { overflow-wrap: anywhere; }\n:not(pre) > code { background: var(--soft); border: 1px solid var(--line); border-radius: 4px; padding: .05em .3em; }\nkbd { border: 1px solid var(--line); border-radius: 4px; padding: 0 .35em; color: var(--dim); }\nh1, h2, h3 { line-height: 1.25; letter-spacing: -.01em; }\nh1 { font-size: 2rem; margin: 0 0 .5rem; }\nh2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem; }\nh3 { font-size: 1rem; margin: 1.25rem 0 .5rem; }\np { margin: .5rem 0; }\n.skip { position: absolute; left: -99rem; }\n.skip:focus { left: 1rem; top: .5rem; z-index: 9; background: var(--back); padding: .5rem; }\n.top { grid-column: 1 / -1; position: sticky; top: 0; z-index: 2; display: flex; gap: 1rem; align-items: center; height: 3.5rem; padding: 0 1.5rem; background: var(--back); border-bottom: 1px solid var(--line); }\n.top .home { font-weight: 650; color: var(--text); text-decoration: none; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.top .home img { height: 1.75rem; max-width: 8rem; object-fit: contain; vertical-align: middle; margin-right: .6rem; }\n.version { color: var(--dim); font-size: .9rem; white-space: nowrap; }\n.versions { position: relative; font-size: .9rem; }\n.versions summary { cursor: pointer; color: var(--dim); white-space: nowrap; }\n.versions ul { position: absolute; left: 0; z-index: 3; list-style: none; margin: .5rem 0 0; padding: .4rem; min-width: 8rem; max-height: 60vh; overflow: auto; background: var(--back); border: 1px solid var(--line); border-radius: 8px; box-shadow: 0 .5rem 2rem #0004; }\n.versions li a { display: block; padding: .25rem .6rem; color: var(--text); text-decoration: none; border-radius: 6px; }\n.versions li a:hover, .versions li a[aria-current] { background: var(--soft); }\n.old { grid-column: 1 / -1; padding: .5rem 1.5rem; background: var(--amber-back); color: var(--amber); }\n.old a { color: inherit; font-weight: 600; }\n.top nav { display: flex; gap: 1.25rem; margin-left: auto; }\n.top nav a { color: var(--dim); text-decoration: none; }\n.top nav a:hover, .top nav a[aria-current] { color: var(--text); }\nbutton { font: inherit; color: var(--dim); background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .2rem .6rem; cursor: pointer; }\nbutton:hover { color: var(--text); border-color: var(--dim); }\n.top .search { width: min(20rem, 30vw); display: flex; justify-content: space-between; align-items: center; }\n.top [hidden] { display: none; }\n.theme::before { content: "◐"; }\n.side { position: sticky; top: 3.5rem; height: calc(100vh - 3.5rem); overflow: auto; padding: 1.5rem 1rem 2rem 1.5rem; border-right: 1px solid var(--line); font-size: .9rem; }\n.side summary { font-weight: 650; margin-bottom: .5rem; cursor: pointer; }\n.side p { margin: 1rem 0 .25rem; font-size: .75rem; letter-spacing: .05em; text-transform: uppercase; }\n.side p a { color: var(--dim); text-decoration: none; }\n.side ul { list-style: none; margin: 0; padding: 0; }\n.side li a { display: block; padding: .2rem .6rem; color: var(--text); text-decoration: none; border-radius: 6px; overflow-wrap: anywhere; }\n.side li a:hover { background: var(--soft); }\n.side li a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 600; }\n.side .writes::before, .side .destructive::before, .side .read-only::before { content: ""; display: inline-block; width: .5rem; height: .5rem; border-radius: 50%; margin-right: .5rem; background: var(--green); }\n.side .writes::before { background: var(--amber); }\n.side .destructive::before { background: var(--red); border-radius: 0; }\nmain { padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 60rem; min-width: 0; }\nmain.wide { grid-column: 1 / -1; width: 100%; max-width: 72rem; margin: 0 auto; }\nmain.tool { max-width: none; display: grid; grid-template-columns: minmax(0, 46rem) minmax(24rem, 1fr); gap: clamp(2rem, 3vw, 3.5rem); padding-inline: clamp(1rem, 2.5vw, 3.5rem); }\n.tool aside { position: sticky; top: 5.5rem; align-self: start; max-height: calc(100vh - 6.5rem); overflow: auto; min-width: 0; padding: 0 2px; }\n.tool aside h2 { margin: 0 0 .5rem; font-size: 1.05rem; }\n.tool aside h3 { margin: 0 0 .25rem; font-size: .85rem; font-weight: 600; color: var(--dim); }\n.tool aside .tabs + h2 { margin-top: 1.5rem; }\n.tool aside p { margin: .6rem 0 .25rem; font-size: .85rem; color: var(--dim); }\n.tool aside pre { font-size: .8125rem; max-height: 20rem; }\n.path { margin: 0; font-size: .9rem; }\n.lead { font-size: 1.1rem; color: var(--dim); }\n.name { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin-bottom: 1rem; }\n.badge { display: inline-block; font-size: .75rem; line-height: 1.5; font-weight: 600; padding: 0 .5rem; border-radius: 999px; background: var(--soft); color: var(--dim); border: 1px solid var(--line); white-space: nowrap; }\n.badge { margin-right: .3rem; }\n.name .badge { margin-right: 0; }\n.badge.read-only { background: var(--green-back); color: var(--green); border-color: transparent; }\n.badge.writes, .badge.risk { background: var(--amber-back); color: var(--amber); border-color: transparent; }\n.badge.destructive, .badge.break { background: var(--red-back); color: var(--red); border-color: transparent; }\n.badge.open-world { background: var(--violet-back); color: var(--violet); border-color: transparent; }\n.badge.deprecated { background: var(--red-back); color: var(--red); border-color: transparent; }\n.safety { border: 1px solid var(--line); border-left: 4px solid var(--green); border-radius: 8px; padding: .25rem 1.25rem .75rem; margin: 1.5rem 0; background: var(--soft); }\n.safety.writes { border-left-color: var(--amber); }\n.safety.destructive { border-left-color: var(--red); }\n.safety h2 { font-size: 1rem; margin: .75rem 0 .25rem; }\n.safety ul { margin: .5rem 0; padding-left: 1.2rem; }\n.safety ul:empty { display: none; }\n.warning { border: 1px solid var(--red); background: var(--red-back); color: var(--red); border-radius: 8px; padding: .6rem 1rem; }\n.flow { margin: .75rem 0 .25rem; }\n.flow svg { width: 100%; max-width: 36rem; height: auto; display: block; }\n.flow .down { display: none; max-width: 13rem; margin: auto; }\n.flow rect { fill: var(--back); stroke: var(--dim); }\n.flow .ask { stroke: var(--amber); stroke-width: 2; }\n.flow path { fill: none; stroke: var(--dim); stroke-width: 1.5; }\n.flow .no { stroke-dasharray: 4 3; }\n.flow text { fill: var(--text); text-anchor: middle; font-size: 15px; }\n.flow .small { fill: var(--dim); font-size: 13px; }\n.members { list-style: none; margin: 0; padding: 0; border-top: 1px solid var(--line); }\n.members li { border-bottom: 1px solid var(--line); padding: .75rem 0; }\n.members li:target, section:target, h2:target { background: var(--amber-back); box-shadow: 0 0 0 .5rem var(--amber-back); border-radius: 2px; }\n.members p { margin: .35rem 0 0; }\n.members li > div > code:first-child { font-weight: 600; }\n.type, .default { color: var(--dim); font-size: .875rem; margin-left: .35rem; }\n.required, .always { font-size: .75rem; font-weight: 600; margin-left: .35rem; }\n.required { color: var(--red); }\n.always { color: var(--dim); }\n.anchor { color: var(--dim); text-decoration: underline; opacity: 0; }\n:hover > .anchor, .anchor:focus { opacity: 1; }\n.tools, .cards, .classes { list-style: none; margin: 0; padding: 0; }\n.tools li { border-bottom: 1px solid var(--line); padding: .75rem 0; }\n.tools li > a { font-weight: 600; margin-right: .3rem; overflow-wrap: anywhere; }\n.tools p { margin: .2rem 0 0; color: var(--dim); }\n.tools a code { background: none; border: 0; padding: 0; }\n.cards, .classes { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 1rem; margin: 1.25rem 0; }\n.cards li, .classes li { position: relative; border: 1px solid var(--line); border-radius: 10px; padding: 1.1rem 1.25rem; background: var(--soft); }\n.cards li:hover, .classes li:hover { border-color: var(--accent); }\n.cards a, .classes a { text-decoration: none; }\n.cards a::after, .classes a::after { content: ""; position: absolute; inset: 0; }\n.cards p, .classes p { margin: .3rem 0 0; font-size: .95rem; }\n.cards .facts, .cards small { color: var(--dim); font-size: .85rem; }\n.classes li { border-top: 3px solid var(--line); }\n.classes .readOnly { border-top-color: var(--green); }\n.classes .writes { border-top-color: var(--amber); }\n.classes .destructive { border-top-color: var(--red); }\n.classes .openWorld { border-top-color: var(--violet); }\n.cards a, .classes a { font-weight: 600; }\n.classes strong { float: right; font-size: 1.25rem; line-height: 1.2; }\n.guide img { max-width: 100%; height: auto; }\n.guide .block, .guide .table { margin: 1rem 0; }\n.guide blockquote { margin: 1rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--dim); }\n.kind { border-top: 1px solid var(--line); }\n.reason { color: var(--dim); }\n.table { overflow-x: auto; }\n.table code { overflow-wrap: normal; white-space: nowrap; }\ntable { border-collapse: collapse; width: 100%; font-size: .9rem; }\nth, td { text-align: left; font-weight: inherit; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }\nthead th { color: var(--dim); font-weight: 600; }\ntd.right, th.right { text-align: right; }\ntd.center, th.center { text-align: center; }\n.block { border: 1px solid var(--line); border-radius: 8px; overflow: hidden; background: var(--code); }\n.block:focus-within { overflow: visible; }\n.block > pre { border: 0; border-top: 1px solid var(--line); border-radius: 0 0 8px 8px; }\n.bar { display: flex; justify-content: space-between; align-items: center; padding: .3rem .4rem .3rem 1rem; font-size: .75rem; color: var(--dim); }\npre { margin: 0; padding: .9rem 1rem; background: var(--code); border: 1px solid var(--line); border-radius: 8px; overflow: auto; max-height: 26rem; tab-size: 4; }\n.copy { background: var(--back); padding: .1rem .5rem; }\n.s { color: var(--string); } .n { color: var(--number); } .w { color: var(--word); } .c { color: var(--comment); }\n.try, .question { border: 1px solid var(--line); border-radius: 8px; padding: 1rem; }\n.question { border-color: var(--amber); margin: .5rem 0; }\n.try > p:only-child { margin: 0; }\n.field { margin: 0 0 .75rem; }\n.field label { display: block; font-size: .875rem; font-weight: 600; }\n.field small { display: block; color: var(--dim); }\n.field input, .field select, .field textarea { width: 100%; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--dim); border-radius: 6px; padding: .35rem .6rem; }\n.primary { background: var(--accent); color: var(--back); border-color: var(--accent); }\n.primary:hover { color: var(--back); filter: brightness(1.1); }\n.output pre { margin-top: .5rem; white-space: pre-wrap; overflow-wrap: anywhere; }\n.output .failed { border-color: var(--red); color: var(--red); }\n.output img { max-width: 100%; }\n[role="tablist"] { display: flex; flex-wrap: wrap; gap: .25rem; margin-bottom: .5rem; }\n[role="tab"] { font-size: .85rem; background: none; border-color: transparent; text-align: left; }\n[role="tab"][aria-selected="true"] { background: var(--soft); border-color: var(--line); color: var(--text); font-weight: 600; }\n.finder { width: min(42rem, calc(100vw - 2rem)); margin: 10vh auto auto; padding: 0; color: inherit; background: var(--back); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 1rem 4rem #0008; overflow: hidden; }\n.finder::backdrop { background: #0007; }\n.finder input { width: 100%; font: inherit; font-size: 1.1rem; color: inherit; background: none; border: 0; border-bottom: 1px solid var(--line); padding: .9rem 1.1rem; }\n.finder input:focus { outline: 0; box-shadow: inset 0 -3px var(--accent); }\n.finder ul { list-style: none; margin: 0; padding: .4rem; max-height: 55vh; overflow: auto; }\n.finder li { padding: .4rem .7rem; border-radius: 8px; cursor: pointer; border-left: 3px solid transparent; }\n.finder li[aria-selected="true"] { background: var(--soft); border-left-color: var(--accent); }\n.finder li span { display: inline-block; color: var(--dim); font-size: .85rem; margin-left: .5rem; }\n.finder li p { margin: 0; font-size: .85rem; color: var(--dim); white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }\n.finder mark { background: var(--amber-back); color: inherit; border-radius: 2px; }\n.hint { margin: 0; padding: .5rem 1.1rem; font-size: .8rem; color: var(--dim); border-top: 1px solid var(--line); }\n@media screen and (max-width: 75rem) {\n  main.tool { grid-template-columns: minmax(0, 1fr); gap: 1rem; max-width: 60rem; }\n  .tool aside { position: static; max-height: none; }\n  .tool aside pre { max-height: 26rem; }\n}\n@media screen and (max-width: 50rem) {\n  body { display: block; }\n  .side { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line); padding: .75rem 1rem; }\n  html { scroll-padding-top: 1rem; }\n  .top { position: static; height: auto; flex-wrap: wrap; padding: .6rem 1rem; gap: .5rem .9rem; }\n  .top .home { flex: 1 1 50%; }\n  .versions ul { left: auto; right: 0; }\n  .top .search { flex: 1; width: auto; order: 1; }\n  .top .search kbd { display: none; }\n  .top .home img { max-width: 2.5rem; }\n  .top nav { gap: .9rem; font-size: .9rem; margin: 0; order: 2; }\n  main { padding-top: 1.5rem; padding-bottom: 3rem; }\n  h1 { font-size: 1.6rem; }\n  .anchor { opacity: 1; }\n  .flow .across { display: none; }\n  .flow .down { display: block; }\n}\n@media print {\n  :root { --soft: #fff; --code: #fff; --text: #000; --dim: #444; --line: #bbb; --accent: #000; }\n  body, main.tool { display: block; }\n  body { font-size: 11pt; }\n  .top, .side, .bar, .anchor, .skip, .trial, [role="tablist"] { display: none; }\n  main { padding: 0; max-width: none; }\n  .tab, .tab > h3 { display: block !important; }\n  .tool aside h3 { margin: .8rem 0 .3rem; }\n  .tool aside { position: static; max-height: none; }\n  .block > pre { border: 0; }\n  pre, .tool aside pre { max-height: none; white-space: pre-wrap; font-size: 9pt; }\n  .badge { border-color: currentColor; }\n  h1, h2, h3, .tool aside p { break-after: avoid; }\n  .members li, .tools li, .cards li, .classes li, .safety, .flow { break-inside: avoid; }\n}\n'


def site_js(context, environment):
    yield '"use strict";\n(() => {\n  const all = (query, inside = document) => [...inside.querySelectorAll(query)];\n  const make = (tag, options = {}, ...children) => {\n    const node = Object.assign(document.createElement(tag), options);\n    node.append(...children);\n    return node;\n  };\n\n  // As `sinks/markdown.py` shows texts: what a spec or a server says neither hides a part of itself nor turns it around.\n  const JOINER = /(?<=(?![ -~])[\\p{L}\\p{N}])\\u200c(?=(?![ -~])[\\p{L}\\p{N}])|(?<=[^\\s -~])\\u200d(?=[^\\s -~])/u;\n  const HIDDEN = new RegExp(String.raw`(?![\\n\\t]|${JOINER.source})[\\p{C}\\p{Zl}\\p{Zp}\\u115f\\u1160\\u3164\\uffa0\\u2800\\u034f\\u17b4\\u17b5\\ufe00-\\ufe0e\\u{e0100}-\\u{e01ef}]`, "gu");\n  const visible = (text) => text.replace(HIDDEN, (character) => `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`);\n  window.toolspecVisible = visible; // for `try.js`\n\n  // Before the first paint: the theme that the reader chose.\n  const stored = (value) => {\n    try {\n      return value ? localStorage.setItem("theme", value) : localStorage.getItem("theme");\n    } catch {\n      return null; // storage is refused: the system\'s theme\n    }\n  };\n  const setTheme = (theme) => theme && document.documentElement.setAttribute("data-theme", theme);\n  setTheme(stored());\n\n  const theme = () => {\n    const button = document.querySelector(".theme");\n    button.hidden = false;\n    button.onclick = () => {\n      const isDark = getComputedStyle(document.documentElement).colorScheme === "dark";\n      setTheme(isDark ? "light" : "dark");\n      stored(isDark ? "light" : "dark");\n    };\n  };\n\n  const TOKENS = /(#[^\\n]*)|("(?:[^"\\\\\\n]|\\\\.)*"|\'(?:[^\'\\\\]|\\\\.)*\')|\\b(\\d[\\d.]*)\\b|\\b(async|await|def|for|from|import|in|as|with|print|return|class|true|false|null|True|False|None|curl|toolspec)\\b/g;\n  const highlight = (code) => {\n    const source = code.textContent, parts = [];\n    let end = 0;\n    for (const match of source.matchAll(TOKENS)) {\n      const kind = ["c", "s", "n", "w"][match.slice(1).findIndex((group) => group !== undefined)];\n      parts.push(source.slice(end, match.index), make("span", { className: kind }, match[0]));\n      end = match.index + match[0].length;\n    }\n    code.replaceChildren(...parts, source.slice(end));\n  };\n\n  const LANGUAGES = { python: "Python", sh: "Shell", json: "JSON", ts: "TypeScript" };\n  const blocks = (inside) => {\n    for (const pre of all("pre", inside)) {\n      const code = pre.firstElementChild, source = code.textContent;\n      if (pre.dataset.lang !== "sh") highlight(code);\n      const button = make("button", { className: "copy", type: "button" }, "Copy");\n      button.onclick = async () => {\n        let done = true;\n        try {\n          await navigator.clipboard.writeText(source);\n        } catch {\n          const area = make("textarea", { value: source });\n          document.body.append(area);\n          area.select();\n          done = document.execCommand("copy");\n          area.remove();\n        }\n        button.textContent = done ? "Copied" : "Press Ctrl+C";\n        setTimeout(() => (button.textContent = "Copy"), 1500);\n      };\n      const block = make("div", { className: "block" });\n      pre.replaceWith(block);\n      block.append(make("div", { className: "bar" }, LANGUAGES[pre.dataset.lang] || "", button), pre);\n    }\n  };\n\n  let count = 0;\n  const tabs = (box) => {\n    const sections = all(":scope > .tab", box);\n    if (sections.length < 2) return;\n    const list = make("div");\n    list.setAttribute("role", "tablist");\n    list.setAttribute("aria-label", box.previousElementSibling.textContent);\n    const buttons = sections.map((section) => {\n      const heading = section.querySelector("h3");\n      const id = `tab-${++count}`;\n      const button = make("button", { type: "button", id, textContent: heading.textContent });\n      heading.hidden = true;\n      button.setAttribute("role", "tab");\n      button.setAttribute("aria-controls", `${id}-panel`);\n      section.id = `${id}-panel`;\n      section.setAttribute("role", "tabpanel");\n      section.setAttribute("aria-labelledby", id);\n      return button;\n    });\n    const choose = (index, isFocused) => {\n      buttons.forEach((button, at) => {\n        button.setAttribute("aria-selected", at === index);\n        button.tabIndex = at === index ? 0 : -1;\n        sections[at].hidden = at !== index;\n      });\n      if (isFocused) buttons[index].focus();\n    };\n    buttons.forEach((button, at) => {\n      button.onclick = () => choose(at, true);\n      button.onkeydown = (event) => {\n        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];\n        if (step) choose((at + step + buttons.length) % buttons.length, true);\n      };\n    });\n    list.append(...buttons);\n    box.prepend(list);\n    choose(0, false);\n  };\n\n  // `versions.js` lies beside the folders of all versions, so that an old page knows newer ones.\n  let versions = [];\n  window.toolspecVersions = (names) => (versions = names);\n  const versionMenu = () => {\n    const { root, page } = document.body.dataset;\n    const own = document.querySelector(".version");\n    if (!own || !versions.length) return;\n    const name = own.textContent;\n    const links = [];\n    const linkTo = (version) => {\n      const link = make("a", { href: `${root}../${version}/index.html` }, version);\n      links.push([version, link]);\n      return link;\n    };\n    window.toolspecPages = (version, pages) => {\n      if (!pages.includes(page)) return;\n      for (const [of, link] of links) if (of === version) link.href = `${root}../${version}/${page}`;\n    };\n    const load = (version) => document.head.append(make("script", { src: `${root}../${version}/pages.js` }));\n    const items = versions.map((version) => make("li", {}, linkTo(version)));\n    const menu = make("details", { className: "versions" }, make("summary", {}, name), make("ul", {}, ...items));\n    menu.firstChild.setAttribute("aria-label", `Version ${name}`);\n    items[versions.indexOf(name)]?.firstChild.setAttribute("aria-current", "true");\n    menu.addEventListener("toggle", () => versions.forEach(load), { once: true });\n    menu.onkeydown = (event) => {\n      if (event.key !== "Escape") return;\n      menu.open = false;\n      menu.firstChild.focus();\n    };\n    own.replaceWith(menu);\n    if (name === versions[0]) return;\n    const note = make("aside", { className: "old" }, `This is ${name}, which is not the newest version. Read `, linkTo(versions[0]), ".");\n    note.setAttribute("aria-label", "Version");\n    document.querySelector(".top").after(note);\n    load(versions[0]);\n  };\n\n  // `targets/site/paths.py` makes the same fragments.\n  const fragment = (text) =>\n    text.replace(/[^A-Za-z0-9_.-]/gu, (character) => `~${character.codePointAt(0).toString(16)}`);\n\n  let rows = null;\n  window.toolspecIndex = (entries) => {\n    rows = entries.map(([kind, name, title, page, summary, safety = "", args = [], errors = []]) => {\n      const lower = [name, title, ...args, ...errors].map((word) => word.toLowerCase());\n      return { kind, name, title, page, summary, safety, args, errors, lower, text: `${lower.join("\\n")}\\n${summary.toLowerCase()}` };\n    });\n  };\n  const score = (row, words) => {\n    let sum = 0;\n    for (const word of words) {\n      if (!row.text.includes(word)) return -1;\n      const [name, title] = row.lower;\n      const at = name.indexOf(word);\n      if (name === word || title === word) sum += 100;\n      else if (at >= 0) sum += at === 0 || "_-./".includes(name[at - 1]) ? 60 : 40;\n      else if (title.includes(word)) sum += 40;\n      else if (row.lower.includes(word, 2)) sum += 30;\n      else sum += 5;\n    }\n    return sum - row.name.length / 1000;\n  };\n  const find = (query) => {\n    const words = query.toLowerCase().split(/\\s+/).filter(Boolean);\n    if (!rows || !words.length) return [];\n    return rows\n      .map((row) => ({ row, score: score(row, words) }))\n      .filter((one) => one.score >= 0)\n      .sort((a, b) => b.score - a.score)\n      .slice(0, 30)\n      .map(({ row }) => {\n        const has = (name) => (word) => name.toLowerCase().includes(word);\n        const inner = (names) => names.find((name) => words.every(has(name))) || names.find((name) => words.some(has(name)));\n        const isNamed = words.every((word) => row.lower[0].includes(word) || row.lower[1].includes(word));\n        const argument = !isNamed && inner(row.args), error = !isNamed && inner(row.errors);\n        let page = row.page, note = row.kind === "tool" ? row.safety : row.kind;\n        if (argument) {\n          note = `${row.kind === "type" ? "member" : "argument"} ${argument}`;\n          page += (row.kind === "type" ? "~~" : "#arg-") + encodeURIComponent(fragment(argument));\n        } else if (error) {\n          note = `error ${error}`;\n          page += `#error-${encodeURIComponent(fragment(error))}`;\n        }\n        return { row, page, note };\n      });\n  };\n\n  const search = () => {\n    const root = document.body.dataset.root;\n    const dialog = document.querySelector(".finder");\n    const input = dialog.querySelector("input"), list = dialog.querySelector("ul");\n    let found = [], chosen = 0;\n    const choose = (index) => {\n      chosen = index;\n      all("li", list).forEach((item, at) => item.setAttribute("aria-selected", at === index));\n      const item = list.children[index];\n      if (!item) return input.removeAttribute("aria-activedescendant");\n      item.scrollIntoView({ block: "nearest" });\n      input.setAttribute("aria-activedescendant", item.id);\n    };\n    const open = (index) => found[index] && location.assign(root + found[index].page);\n    const paint = () => {\n      found = find(input.value);\n      list.replaceChildren(...found.map(({ row, note }, at) => {\n        const item = make("li", { id: `found-${at}` }, make("strong", {}, visible(row.name)), make("span", {}, visible(note)));\n        if (row.summary) item.append(make("p", {}, visible(row.summary)));\n        item.setAttribute("role", "option");\n        item.onclick = () => open(at);\n        return item;\n      }));\n      if (rows && input.value.trim() && !found.length) {\n        const none = make("li", {}, "Nothing has this name.");\n        none.setAttribute("role", "option");\n        none.setAttribute("aria-disabled", "true");\n        list.append(none);\n      }\n      choose(0);\n    };\n    const show = () => {\n      if (!rows) document.head.append(make("script", { src: `${root}search.js`, onload: paint }));\n      if (!dialog.open) dialog.showModal();\n      input.select();\n    };\n    input.oninput = paint;\n    input.onkeydown = (event) => {\n      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];\n      if (step && found.length) choose((chosen + step + found.length) % found.length);\n      else if (event.key === "Enter") open(chosen);\n      else if (event.key === "Escape") dialog.close(); // at once: a browser would only empty the field\n      else return;\n      event.preventDefault();\n    };\n    dialog.onclick = (event) => event.target === dialog && dialog.close();\n    const button = document.querySelector(".top .search");\n    button.hidden = false;\n    button.onclick = show;\n    addEventListener("keydown", (event) => {\n      const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);\n      const isCalled = (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) || (event.key === "k" && (event.ctrlKey || event.metaKey));\n      if (!isCalled) return;\n      event.preventDefault();\n      show();\n    });\n  };\n\n  addEventListener("DOMContentLoaded", () => {\n    theme();\n    versionMenu();\n    blocks(document);\n    all(".tabs").forEach(tabs);\n    search();\n    if (matchMedia("(max-width: 50rem)").matches) all(".side details").forEach((one) => (one.open = false));\n    const current = document.querySelector(".side [aria-current]");\n    // Scrolling to the element itself would also move where Tab begins.\n    if (current) current.closest(".side").scrollTop = current.offsetTop - innerHeight / 2;\n  });\n})();\n'


def tool_html(context, environment):
    l_0_sidebar = context['sidebar']
    l_0_tool = context['tool']
    l_0_call = context['call']
    t_1 = environment.filters['badge']
    t_2 = environment.filters['code']
    t_3 = environment.filters['fragment']
    t_4 = environment.filters['join']
    t_5 = environment.filters['json']
    t_6 = environment.filters['json_block']
    t_7 = environment.filters['map']
    t_8 = environment.filters['program']
    t_9 = environment.filters['prose']
    t_10 = environment.filters['text']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    gen = environment.render('_sidebar.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main" class="tool">\n<article>\n<p class="path"><a href="index.html">'
    yield environment.write(l_0_sidebar.title)
    yield '</a></p>\n<h1>'
    yield environment.write(l_0_tool.title)
    yield '</h1>\n<p class="name"><code>'
    yield environment.write(l_0_tool.name)
    yield '</code> '
    for l_1_flag in l_0_tool.flags:
        yield environment.write(t_1(l_1_flag))
    l_1_flag = missing
    yield '</p>\n'
    if l_0_tool.deprecated:
        yield '<p class="warning"><strong>Deprecated'
        if l_0_tool.deprecated.since:
            yield ' since '
            yield environment.write(l_0_tool.deprecated.since)
        yield '.</strong>'
        if l_0_tool.deprecated.use:
            yield ' Use '
            yield environment.write(t_2(l_0_tool.deprecated.use))
            yield ' instead.'
        if l_0_tool.deprecated.remove:
            yield ' It will be removed in '
            yield environment.write(l_0_tool.deprecated.remove)
            yield '.'
        yield '</p>\n'
    yield environment.write(t_10(l_0_tool.description))
    yield '\n'
    gen = environment.render('_safety.html.jinja', {**context, **{}})
    yield from gen
    yield '<section aria-labelledby="arguments">\n<h2 id="arguments">Arguments</h2>\n'
    if l_0_tool.parameters.about:
        yield '<p>'
        yield environment.write(l_0_tool.parameters.about)
        yield '</p>\n'
    if l_0_tool.parameters.rows:
        l_1_rows = l_0_tool.parameters.rows
        l_1_presence = 'required'
        l_1_prefix = 'arg-'
        gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_1_prefix, 'presence': l_1_presence, 'rows': l_1_rows}})
        yield from gen
        l_1_rows = l_1_presence = l_1_prefix = missing
    else:
        yield '<p>'
        yield environment.write('Any; they are passed on unchecked.' if l_0_tool.takes_anything else 'None.')
        yield '</p>\n'
    yield '</section>\n<section aria-labelledby="returns">\n<h2 id="returns">Returns</h2>\n<p>'
    yield environment.write(l_0_tool.result.sentences)
    if l_0_tool.content_type:
        yield ' Content type '
        yield environment.write(t_2(l_0_tool.content_type))
        yield '.'
    if l_0_tool.reduction == 'join':
        yield ' It arrives in pieces; joined, they are the result.'
    elif l_0_tool.reduction == 'list':
        yield ' It arrives item by item; all of them together are the result.'
    elif l_0_tool.reduction == 'last':
        yield ' It arrives in chunks; the last one is the result.'
    yield '</p>\n'
    if l_0_tool.result.rows:
        l_1_rows = l_0_tool.result.rows
        l_1_presence = 'always'
        l_1_prefix = 'result-'
        gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_1_prefix, 'presence': l_1_presence, 'rows': l_1_rows}})
        yield from gen
        l_1_rows = l_1_presence = l_1_prefix = missing
    if l_0_tool.chunk:
        yield '<h3>Chunk</h3>\n<p>'
        yield environment.write(l_0_tool.chunk.sentences)
        yield '</p>\n'
        if l_0_tool.chunk.rows:
            l_1_rows = l_0_tool.chunk.rows
            l_1_presence = 'always'
            l_1_prefix = ''
            gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_1_prefix, 'presence': l_1_presence, 'rows': l_1_rows}})
            yield from gen
            l_1_rows = l_1_presence = l_1_prefix = missing
    yield '</section>\n'
    if l_0_tool.errors:
        yield '<section aria-labelledby="errors">\n<h2 id="errors">Errors</h2>\n<ul class="members">\n'
        for l_1_error in l_0_tool.errors:
            yield '<li id="error-'
            yield environment.write(t_3(l_1_error.code))
            yield '"><div>'
            yield environment.write(t_2(l_1_error.code))
            yield ' <span class="type">'
            yield environment.write('a later call may succeed' if l_1_error.retryable else 'not retryable')
            yield '</span></div><p>'
            yield environment.write(t_9(l_1_error.description))
            yield '</p></li>\n'
        l_1_error = missing
        yield '</ul>\n</section>\n'
    if l_0_call.trial:
        gen = environment.render('_try.html.jinja', {**context, **{}})
        yield from gen
    yield '<section aria-labelledby="cost">\n<h2 id="cost">Cost and providers</h2>\n<p>About '
    yield environment.write(l_0_tool.tokens)
    yield ' tokens in every request that offers the tool to a model.</p>\n'
    if l_0_call.providers:
        yield '<ul class="members">\n'
        l_1_loop = missing
        for l_1_provider, l_1_loop in LoopContext(l_0_call.providers):
            yield '<li><div>'
            yield environment.write(t_2(l_1_provider.target))
            yield ' <span class="type">'
            if l_1_provider.tokens:
                yield environment.write(l_1_provider.tokens)
                yield ' tokens, '
            yield environment.write(l_1_provider.form)
            yield '</span></div>'
            if l_1_provider.losses:
                yield '<p>Not enforced by the provider: '
                l_2_loop = missing
                for l_2_loss, l_2_loop in LoopContext(l_1_provider.losses):
                    if not l_2_loop.first:
                        yield ', '
                    yield environment.write(t_2(l_2_loss.keyword))
                    if l_2_loss.argument:
                        yield ' of '
                        yield environment.write(t_2(l_2_loss.argument))
                    if l_2_loss.outcome != 'moved':
                        yield ' ('
                        yield environment.write(l_2_loss.outcome)
                        yield ')'
                l_2_loop = l_2_loss = missing
                yield '.</p>'
            yield '</li>\n'
        l_1_loop = l_1_provider = missing
        yield '</ul>\n'
    yield '</section>\n'
    if ((((l_0_tool.version or l_0_tool.aliases) or l_0_tool.notes.tags) or l_0_tool.extensions) or l_0_call.versions) or l_0_call.edit:
        yield '<section aria-labelledby="more">\n<h2 id="more">More</h2>\n<ul>\n'
        if l_0_tool.version:
            yield '<li>Version '
            yield environment.write(t_2(l_0_tool.version))
            yield '; the highest one answers to '
            yield environment.write(t_2(l_0_tool.family))
            yield '.</li>\n'
        for l_1_name, l_1_address in l_0_call.versions:
            yield '<li>Another version: <a href="'
            yield environment.write(l_1_address)
            yield '">'
            yield environment.write(l_1_name)
            yield '</a>.</li>\n'
        l_1_name = l_1_address = missing
        if l_0_tool.aliases:
            yield '<li>Also answers to '
            yield environment.write(t_4(t_7(context, l_0_tool.aliases, 'code'), ', '))
            yield '.</li>\n'
        if l_0_tool.notes.tags:
            yield '<li>Tags: '
            yield environment.write(t_4(l_0_tool.notes.tags, ', '))
            yield '.</li>\n'
        for l_1_name, l_1_value in l_0_tool.extensions.items():
            yield '<li>'
            yield environment.write(t_2(l_1_name))
            yield ': '
            yield environment.write(t_5(l_1_value))
            yield '</li>\n'
        l_1_name = l_1_value = missing
        if l_0_call.edit:
            yield '<li><a href="'
            yield environment.write(l_0_call.edit)
            yield '" rel="noreferrer">Edit '
            yield environment.write(l_0_tool.source.file)
            yield '</a></li>\n'
        yield '</ul>\n</section>\n'
    yield '</article>\n<aside aria-label="Examples">\n<h2>Call it</h2>\n<div class="tabs">\n'
    for l_1_snippet in l_0_call.snippets:
        yield '<section class="tab"><h3>'
        yield environment.write(l_1_snippet.title)
        yield '</h3>'
        yield environment.write(t_8(l_1_snippet))
        yield '</section>\n'
    l_1_snippet = missing
    yield '</div>\n'
    if l_0_tool.examples:
        yield '<h2>Examples</h2>\n<div class="tabs">\n'
        for l_1_example in l_0_tool.examples:
            yield '<section class="tab"><h3>'
            yield environment.write('Made from the schema' if l_1_example.is_made else l_1_example.title or 'Example')
            yield '</h3>\n<p>Arguments</p>'
            yield environment.write(t_6(l_1_example.input))
            yield '\n'
            if l_1_example.error:
                yield '<p>Fails with '
                yield environment.write(t_2(l_1_example.error))
                yield '.</p>\n'
            else:
                yield '<p>Result</p>'
                yield environment.write(t_6(l_1_example.output))
                yield '\n'
            yield '</section>\n'
        l_1_example = missing
        yield '</div>\n'
    yield '</aside>\n</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def try_js(context, environment):
    yield '"use strict";\n// Calls a tool from its page. Nothing of the address bar is read, and the token is kept in a variable only.\naddEventListener("DOMContentLoaded", () => {\n  const box = document.querySelector(".try");\n  const VERSION = "2026-07-28";\n  const SAFE_IMAGES = ["image/png", "image/jpeg", "image/gif", "image/webp"];\n  const tool = box.dataset.tool, isReading = box.dataset.safety === "read-only";\n  const schema = JSON.parse(box.dataset.schema), servers = JSON.parse(box.dataset.servers);\n  const say = (...words) => box.append(make("p", { className: "note" }, ...words));\n  let count = 0;\n\n  const visible = window.toolspecVisible;\n  function make(tag, options = {}, ...children) {\n    const node = Object.assign(document.createElement(tag), options);\n    node.append(...children);\n    return node;\n  }\n  function labelled(label, field, about = "") {\n    field.id = `try-${++count}`;\n    const parts = [make("label", { htmlFor: field.id }, visible(label)), field];\n    if (about) {\n      const words = make("small", { id: `${field.id}-about` }, visible(about));\n      field.setAttribute("aria-describedby", words.id);\n      parts.push(words);\n    }\n    return make("div", { className: "field" }, ...parts);\n  }\n\n  if (location.protocol === "file:") {\n    return say("This page was opened from a file, and no server can allow that. Open it over HTTP, as ", make("code", {}, "toolspec docs --watch"), " serves it.");\n  }\n\n  // A definition of the arguments\' schema, and what is written beside the reference to it.\n  function resolved(property) {\n    for (let hops = 0; property && property.$ref && hops < 20; hops++) {\n      const [, name] = /^#\\/\\$defs\\/([^/%~]+)$/.exec(property.$ref) || [];\n      if (!name || !Object.hasOwn(schema.$defs || {}, name)) return property;\n      const { $ref, ...beside } = property;\n      property = { ...schema.$defs[name], ...beside };\n    }\n    return property;\n  }\n  // One field for a value: by its type, or as JSON. `read` returns undefined for an empty one.\n  function fieldOf(property) {\n    const kind = property && property.type;\n    if (property && Array.isArray(property.enum)) return choice(property.enum);\n    if (kind === "boolean") return choice([true, false]);\n    if (kind === "integer" || kind === "number") {\n      const field = make("input", { type: "number", step: kind === "integer" ? "1" : "any" });\n      return { field, read: () => (field.value === "" ? undefined : Number(field.value)) };\n    }\n    if (kind === "string") {\n      const field = make("textarea", { rows: 1 });\n      return { field, read: () => (field.value === "" ? undefined : field.value) };\n    }\n    const field = make("textarea", { rows: 3, placeholder: "JSON", spellcheck: false });\n    return { field, read: () => (field.value.trim() === "" ? undefined : JSON.parse(field.value)) };\n  }\n  function choice(values) {\n    const field = make("select", {}, make("option", { value: "" }, "–"));\n    values.forEach((value, at) => field.append(make("option", { value: at }, visible(typeof value === "string" ? value : JSON.stringify(value)))));\n    return { field, read: () => (field.value === "" ? undefined : values[Number(field.value)]) };\n  }\n  function formOf(shape) {\n    const properties = shape && shape.properties, isPlain = properties && !["allOf", "anyOf", "oneOf", "$ref"].some((key) => key in shape);\n    if (!isPlain) {\n      const { field, read } = fieldOf(null);\n      return { nodes: [labelled("Arguments as JSON", field)], read: () => read() ?? {} };\n    }\n    const required = shape.required || [];\n    const fields = Object.entries(properties).map(([name, written]) => {\n      const property = resolved(written);\n      const made = fieldOf(property);\n      made.field.required = required.includes(name);\n      return { name, ...made, node: labelled(required.includes(name) ? `${name} (required)` : name, made.field, (property && property.description) || "") };\n    });\n    const read = () => {\n      const value = {};\n      for (const one of fields) {\n        let item;\n        try {\n          item = one.read();\n        } catch (error) {\n          throw new Error(`${one.name} is not JSON: ${error.message}`);\n        }\n        if (item !== undefined) value[one.name] = item;\n      }\n      return value;\n    };\n    return { nodes: fields.map((one) => one.node), read };\n  }\n\n  const server = servers === "any" ? make("input", { type: "url", placeholder: "https://…/mcp", autocomplete: "off" }) : make("select", {}, ...servers.map((url) => make("option", {}, url)));\n  const token = make("input", { type: "password", autocomplete: "off" });\n  server.addEventListener("change", () => (token.value = ""));\n  const form = formOf(schema);\n  const send = make("button", { type: "button", className: "primary" }, "Send");\n  const stop = make("button", { type: "button", hidden: true }, "Stop");\n  const output = make("div", { className: "output" });\n  output.setAttribute("aria-live", "polite");\n  // A form, so that a browser knows what the password is for; it is never sent as one.\n  box.append(make("form", { onsubmit: (event) => event.preventDefault() },\n    labelled("Server", server),\n    labelled("Bearer token", token, "Kept on this page only, until the server changes."),\n    ...form.nodes,\n    make("p", {}, send, " ", stop),\n    output,\n  ));\n\n  const show = (text, kind = "") => output.append(make("pre", { className: kind, tabIndex: 0 }, visible(text)));\n  function ask(question, nodes, yes) {\n    return new Promise((resolve) => {\n      const accept = make("button", { type: "button", className: "primary" }, yes);\n      const refuse = make("button", { type: "button" }, "No");\n      const group = make("div", { className: "question" }, make("pre", {}, visible(question)), ...nodes, make("p", {}, accept, " ", refuse));\n      group.setAttribute("role", "group");\n      group.setAttribute("aria-label", "Question");\n      const end = (answer) => () => {\n        group.remove();\n        resolve(answer);\n      };\n      accept.onclick = end(true);\n      refuse.onclick = end(false);\n      output.append(group);\n      refuse.focus();\n    });\n  }\n\n  let running = null;\n  async function post(params) {\n    const meta = {\n      "io.modelcontextprotocol/protocolVersion": VERSION,\n      "io.modelcontextprotocol/clientInfo": { name: "toolspec-site", version: "1" },\n      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },\n      progressToken: 1,\n    };\n    const headers = {\n      "Content-Type": "application/json",\n      Accept: "application/json, text/event-stream",\n      "MCP-Protocol-Version": VERSION,\n      "Mcp-Method": "tools/call",\n      "Mcp-Name": tool,\n    };\n    if (token.value) headers.Authorization = `Bearer ${token.value}`;\n    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, ...params, _meta: meta } });\n    const response = await fetch(server.value, { method: "POST", headers, body, credentials: "omit", redirect: "error", signal: running.signal });\n    if ((response.headers.get("content-type") || "").startsWith("text/event-stream")) return events(response);\n    const text = await response.text();\n    let message = null;\n    try {\n      message = JSON.parse(text);\n    } catch {\n      // no message of the protocol: its text says what is wrong\n    }\n    if (!message || !(message.result || message.error)) throw new Error(`${response.status} ${text.slice(0, 500)}`);\n    return message;\n  }\n  async function events(response) {\n    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();\n    let rest = "";\n    for (;;) {\n      const { value, done } = await reader.read();\n      rest += value || "";\n      const lines = rest.split(/\\r?\\n/);\n      rest = lines.pop();\n      for (const line of lines) {\n        if (!line.startsWith("data:")) continue;\n        const data = line.slice(5).trim();\n        if (!data) continue;\n        const message = JSON.parse(data);\n        if (message.result || message.error) return message;\n        const { message: words, progress } = message.params || {};\n        show(String(words ?? progress ?? data), "piece");\n      }\n      if (done) throw new Error("The stream ended without a result.");\n    }\n  }\n\n  function showResult(result) {\n    if (result.structuredContent !== undefined) show(JSON.stringify(result.structuredContent, null, 2), result.isError ? "failed" : "");\n    for (const part of result.structuredContent === undefined ? result.content || [] : (result.content || []).filter((one) => one.type !== "text")) {\n      if (part.type === "image" && SAFE_IMAGES.includes(part.mimeType) && /^[A-Za-z0-9+/=\\s]*$/.test(part.data)) {\n        output.append(make("img", { src: `data:${part.mimeType};base64,${part.data}`, alt: "Image of the result" }));\n      } else show(part.type === "text" ? part.text : JSON.stringify(part, null, 2), result.isError ? "failed" : "");\n    }\n  }\n  async function call(params) {\n    for (;;) {\n      const message = await post(params);\n      if (message.error) return show(`${message.error.code}: ${message.error.message}`, "failed");\n      const result = message.result;\n      if (result.resultType !== "input_required") return showResult(result);\n      const inputResponses = {};\n      for (const [key, request] of Object.entries(result.inputRequests || {})) {\n        const asked = request.params || {};\n        const wanted = formOf(asked.requestedSchema || {});\n        const nodes = Object.keys((asked.requestedSchema || {}).properties || {}).length ? wanted.nodes : [];\n        const isForm = request.method === "elicitation/create" && asked.mode !== "url";\n        const words = isForm ? String(asked.message ?? "") : `The server asks for ${request.method}, which this page cannot do.`;\n        const isAccepted = (await ask(words, isForm ? nodes : [], isForm ? "Yes" : "Go on")) && isForm;\n        inputResponses[key] = isAccepted ? { action: "accept", content: nodes.length ? wanted.read() : {} } : { action: "decline" };\n      }\n      params = { ...params, inputResponses, requestState: result.requestState };\n    }\n  }\n\n  stop.onclick = () => running && running.abort();\n  send.onclick = async () => {\n    output.replaceChildren();\n    let args;\n    try {\n      args = form.read();\n    } catch (error) {\n      return show(error.message, "failed");\n    }\n    running = new AbortController();\n    send.disabled = true;\n    stop.hidden = false;\n    try {\n      const question = `Send this to ${server.value}?\\n${tool} ${box.dataset.safety === "destructive" ? "is destructive" : "writes"}.\\n${JSON.stringify(args, null, 2)}`;\n      if (isReading || (await ask(question, [], "Send it"))) await call({ arguments: args });\n      else show("Nothing was sent.");\n    } catch (error) {\n      const isRefused = error instanceof TypeError;\n      show(error.name === "AbortError" ? "Stopped." : isRefused ? `The server did not answer, or does not allow this page: it needs --allow-origin ${location.origin}` : error.message, "failed");\n    } finally {\n      send.disabled = false;\n      stop.hidden = true;\n      running = null;\n    }\n  };\n});\n'


def types_html(context, environment):
    l_0_sidebar = context['sidebar']
    l_0_service = context['service']
    t_1 = environment.filters['code']
    t_2 = environment.filters['fragment']
    gen = environment.render('_head.html.jinja', {**context, **{}})
    yield from gen
    gen = environment.render('_sidebar.html.jinja', {**context, **{}})
    yield from gen
    yield '<main id="main">\n<h1>Types</h1>\n<p class="lead">Types that tools of '
    yield environment.write(l_0_sidebar.title)
    yield ' share.</p>\n'
    for l_1_type in l_0_service.types:
        yield '<section class="kind">\n<h2 id="'
        yield environment.write(t_2(l_1_type.anchor))
        yield '">'
        yield environment.write(t_1(l_1_type.name))
        yield ' <a class="anchor" href="#'
        yield environment.write(t_2(l_1_type.anchor))
        yield '" aria-label="Link to '
        yield environment.write(l_1_type.name)
        yield '">#</a></h2>\n<p>'
        yield environment.write(l_1_type.schema.sentences)
        yield '</p>\n'
        if l_1_type.schema.rows:
            l_2_rows = l_1_type.schema.rows
            l_2_presence = 'required'
            l_2_prefix = str_join((t_2(l_1_type.anchor), '~~'))
            gen = environment.render('_members.html.jinja', {**context, **{'prefix': l_2_prefix, 'presence': l_2_presence, 'rows': l_2_rows, 'type': l_1_type}})
            yield from gen
            l_2_rows = l_2_presence = l_2_prefix = missing
        yield '</section>\n'
    l_1_type = missing
    yield '</main>\n'
    gen = environment.render('_foot.html.jinja', {**context, **{}})
    yield from gen


def versions_html(context, environment):
    l_0_versions = context['versions']
    l_0_page = context['page']
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'self\'; base-uri \'none\'; form-action \'none\'">\n<meta http-equiv="refresh" content="0; url='
    yield environment.write(l_0_versions[0])
    yield '/index.html">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n<meta name="referrer" content="no-referrer">\n<title>'
    yield environment.write(l_0_page.site_title)
    yield '</title>\n<link rel="stylesheet" href="'
    yield environment.write(l_0_page.version)
    yield '/site.css">\n</head>\n<body>\n<main id="main" class="wide">\n<h1>'
    yield environment.write(l_0_page.site_title)
    yield '</h1>\n<ul class="tools">\n'
    l_1_loop = missing
    for l_1_version, l_1_loop in LoopContext(l_0_versions):
        yield '<li><a href="'
        yield environment.write(l_1_version)
        yield '/index.html">'
        yield environment.write(l_1_version)
        yield '</a>'
        if l_1_loop.first:
            yield ' <span class="badge">newest</span>'
        yield '</li>\n'
    l_1_loop = l_1_version = missing
    yield '</ul>\n</main>\n</body>\n</html>\n'


FUNCTIONS = {
    "_approval.html.jinja": _approval_html,
    "_class_about.html.jinja": _class_about_html,
    "_class_name.html.jinja": _class_name_html,
    "_classes.html.jinja": _classes_html,
    "_foot.html.jinja": _foot_html,
    "_head.html.jinja": _head_html,
    "_members.html.jinja": _members_html,
    "_safety.html.jinja": _safety_html,
    "_sidebar.html.jinja": _sidebar_html,
    "_tools.html.jinja": _tools_html,
    "_try.html.jinja": _try_html,
    "changelog.html.jinja": changelog_html,
    "guide.html.jinja": guide_html,
    "guides.html.jinja": guides_html,
    "index.html.jinja": index_html,
    "listing.html.jinja": listing_html,
    "safety.html.jinja": safety_html,
    "service.html.jinja": service_html,
    "site.css.jinja": site_css,
    "site.js.jinja": site_js,
    "tool.html.jinja": tool_html,
    "try.js.jinja": try_js,
    "types.html.jinja": types_html,
    "versions.html.jinja": versions_html,
}
