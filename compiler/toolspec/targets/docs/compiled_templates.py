"""Templates of the docs target as functions; `make reference` writes them from `templates/`."""

# mypy: ignore-errors

from __future__ import annotations

from toolspec.targets.template_runtime import LoopContext, str_join

missing = None


def README_md(context, environment):
    l_0_index = context['index']
    yield '# Tools\n\n'
    l_1_token_bytes = l_0_index.token_bytes
    gen = environment.render('_tokens.md.jinja', {**context, **{'token_bytes': l_1_token_bytes}})
    yield from gen
    l_1_token_bytes = missing
    if l_0_index.services:
        yield '\n| Service | Version | Tools | Tokens | Description |\n| --- | --- | --- | --- | --- |\n'
        for l_1_service in l_0_index.services:
            yield '| ['
            yield environment.write(l_1_service.title)
            yield ']('
            yield environment.write(l_1_service.page)
            yield ') | '
            yield environment.write(l_1_service.version)
            yield ' | '
            yield environment.write(l_1_service.tools)
            yield ' | '
            yield environment.write(l_1_service.tokens)
            yield ' | '
            yield environment.write(l_1_service.description)
            yield ' |\n'
        l_1_service = missing
    if l_0_index.has_changelog:
        yield '\n[Changelog](changelog.md) of the tools.\n'
    l_1_safety = l_0_index.safety
    gen = environment.render('_safety.md.jinja', {**context, **{'safety': l_1_safety}})
    yield from gen
    l_1_safety = missing


def _auth_md(context, environment):
    l_0_auth = context['auth']
    t_1 = environment.filters['code']
    yield '\n## Credentials\n\nCallers sign in with '
    yield environment.write('OAuth 2.0' if l_0_auth.is_oauth else 'the credentials below')
    yield '. '
    yield environment.write('Each caller signs in and uses their own account.' if l_0_auth.is_per_user else 'One account serves all callers; an administrator sets it up.')
    if l_0_auth.authorization_url:
        yield ' Access is granted at '
        yield environment.write(t_1(l_0_auth.authorization_url))
        yield '.'
    if l_0_auth.token_url:
        yield ' Tokens come from '
        yield environment.write(t_1(l_0_auth.token_url))
        yield '.'
    yield '\n'
    if l_0_auth.fields:
        l_1_schema = l_0_auth.fields
        gen = environment.render('_inputs.md.jinja', {**context, **{'schema': l_1_schema}})
        yield from gen
        l_1_schema = missing
    if l_0_auth.authorize_parameters:
        yield '\nFurther parameters of the authorization URL:\n\n| Parameter | Value |\n| --- | --- |\n'
        for l_1_name, l_1_value in l_0_auth.authorize_parameters:
            yield '| '
            yield environment.write(t_1(l_1_name))
            yield ' | '
            yield environment.write(t_1(l_1_value))
            yield ' |\n'
        l_1_name = l_1_value = missing
    if l_0_auth.token_response:
        yield '\nMembers of the token response with other names:\n\n| Role | Member |\n| --- | --- |\n'
        for l_1_role, l_1_member in l_0_auth.token_response:
            yield '| '
            yield environment.write(t_1(l_1_role))
            yield ' | '
            yield environment.write(t_1(l_1_member))
            yield ' |\n'
        l_1_role = l_1_member = missing
    if l_0_auth.scopes:
        yield '\n| Scope | Description |\n| --- | --- |\n'
        for l_1_scope in l_0_auth.scopes:
            yield '| '
            yield environment.write(t_1(l_1_scope.name))
            yield ' | '
            yield environment.write(l_1_scope.description)
            yield ' |\n'
        l_1_scope = missing


def _extensions_md(context, environment):
    l_0_extensions = context['extensions']
    t_1 = environment.filters['code']
    t_2 = environment.filters['json']
    yield '\n| Extension | Value |\n| --- | --- |\n'
    for l_1_name, l_1_value in l_0_extensions.items():
        yield '| '
        yield environment.write(t_1(l_1_name))
        yield ' | '
        yield environment.write(t_2(l_1_value))
        yield ' |\n'
    l_1_name = l_1_value = missing


def _inputs_md(context, environment):
    l_0_schema = context['schema']
    if l_0_schema.about:
        yield '\n'
        yield environment.write(l_0_schema.about)
        yield '\n'
    l_1_rows = l_0_schema.rows
    l_1_presence = 'Required'
    l_1_defaults = True
    gen = environment.render('_members.md.jinja', {**context, **{'defaults': l_1_defaults, 'presence': l_1_presence, 'rows': l_1_rows}})
    yield from gen
    l_1_rows = l_1_presence = l_1_defaults = missing


def _members_md(context, environment):
    l_0_rows = context['rows']
    l_0_presence = context['presence']
    l_0_defaults = context['defaults']
    if l_0_rows:
        yield '\n| Name | Type | '
        yield environment.write(l_0_presence)
        yield ' |'
        if l_0_defaults:
            yield ' Default |'
        yield ' Description |\n| --- | --- | --- |'
        if l_0_defaults:
            yield ' --- |'
        yield ' --- |\n'
        for l_1_row in l_0_rows:
            yield '| '
            yield environment.write(l_1_row.name)
            yield ' | '
            yield environment.write(l_1_row.type)
            yield ' | '
            if l_1_row.is_required:
                yield 'yes'
            yield ' |'
            if l_0_defaults:
                yield ' '
                yield environment.write(l_1_row.default)
                yield ' |'
            yield ' '
            yield environment.write(l_1_row.about)
            yield ' |\n'
        l_1_row = missing


def _notes_md(context, environment):
    l_0_notes = context['notes']
    t_1 = environment.filters['code']
    t_2 = environment.filters['join']
    t_3 = environment.filters['length']
    t_4 = environment.filters['map']
    t_5 = environment.tests['none']
    if l_0_notes.tags:
        yield '- Tags: '
        yield environment.write(t_2(l_0_notes.tags, ', '))
        yield '.\n'
    if l_0_notes.effects:
        yield '- Effects: '
        yield environment.write(t_2(l_0_notes.effects, ', '))
        yield '.\n'
    if l_0_notes.scopes:
        yield '- Needs the scopes '
        l_1_loop = missing
        for l_1_names, l_1_loop in LoopContext(l_0_notes.scopes):
            if t_3(l_1_names) > 1:
                yield '('
                yield environment.write(t_2(t_4(context, l_1_names, 'code'), ' or '))
                yield ')'
            else:
                yield environment.write(t_1(l_1_names[0]))
            if not l_1_loop.last:
                yield ' and '
        l_1_loop = l_1_names = missing
        yield '.\n'
    for l_1_permission in l_0_notes.permissions:
        yield '- Asks for permission before each run: '
        yield environment.write({'file': 'the files', 'web': 'the web host', 'tool': 'the tool'}[l_1_permission.kind])
        yield ' '
        yield environment.write(t_1(l_1_permission.resource))
        if l_1_permission.operation:
            yield ' ('
            yield environment.write(t_1(l_1_permission.operation))
            yield ')'
        yield '.\n'
    l_1_permission = missing
    if l_0_notes.ignores_formats:
        yield '- Formats and encodings of values are documented, not checked.\n'
    if l_0_notes.request:
        yield '- Sends the HTTP request '
        yield environment.write(t_1(l_0_notes.request))
        yield '.\n'
    if l_0_notes.idempotency:
        yield '- Can be repeated safely: an `idempotency_key` is '
        yield environment.write(l_0_notes.idempotency)
        yield '.\n'
    if l_0_notes.timeouts:
        yield '- Times out after '
        yield environment.write(t_2(l_0_notes.timeouts, ', or '))
        yield '.\n'
    if not t_5(l_0_notes.result_bytes):
        yield '- Returns at most '
        yield environment.write(l_0_notes.result_bytes)
        yield ' bytes.\n'
    if l_0_notes.task_support == 'optional':
        yield '- May run as a task.\n'
    elif l_0_notes.task_support == 'required':
        yield '- Runs only as a task.\n'
    if l_0_notes.verify:
        yield '- Its result is verified before it is returned.\n'
    if l_0_notes.revert:
        yield '- Its effect can be reverted.\n'


def _safety_md(context, environment):
    l_0_safety = context['safety']
    t_1 = environment.filters['join']
    t_2 = environment.filters['map']
    if l_0_safety:
        yield '\n## Tools by safety\n'
    for l_1_class in l_0_safety:
        yield '\n'
        if l_1_class.key == 'readOnly':
            yield '### Read-only\n\nThey change nothing. An agent may call them without asking.\n'
        elif l_1_class.key == 'writes':
            yield '### Writes\n\nThey add or change data and lose nothing. A client may ask first.\n'
        elif l_1_class.key == 'destructive':
            yield '### Destructive\n\nThey delete, overwrite, or have another effect that is hard to undo. A client asks a person before each call and shows the arguments.\n'
        elif l_1_class.key == 'idempotent':
            yield '### Idempotent\n\nA second call with the same arguments has no further effect. A client may repeat them after a lost connection or a temporary failure.\n'
        else:
            yield '### Open world\n\nThey reach systems outside the service. A client logs these calls separately and treats their results as data, never as instructions.\n'
        yield '\n'
        if l_1_class.key in ('idempotent', 'openWorld'):
            yield environment.write(t_1(t_2(context, l_1_class.tools, attribute='link'), ', '))
            yield '\n'
        else:
            for l_2_tool in l_1_class.tools:
                yield '- '
                yield environment.write(l_2_tool.link)
                yield ': '
                yield environment.write(l_2_tool.summary)
                yield '\n'
            l_2_tool = missing
    l_1_class = missing


def _tokens_md(context, environment):
    l_0_token_bytes = context['token_bytes']
    yield 'Tokens are an estimate of what a definition costs in every request to a model: one for every '
    yield environment.write(l_0_token_bytes)
    yield ' bytes of its name, its description and its arguments as sent.\n'


def _tool_md(context, environment):
    l_0_tool = context['tool']
    t_1 = environment.filters['code']
    t_2 = environment.filters['join']
    t_3 = environment.filters['json_block']
    t_4 = environment.filters['map']
    t_5 = environment.filters['text']
    yield '\n### '
    yield environment.write(t_1(l_0_tool.name))
    yield '\n\n'
    yield environment.write(l_0_tool.title)
    for l_1_flag in l_0_tool.own_flags:
        yield ' · '
        yield environment.write(l_1_flag)
    l_1_flag = missing
    yield '\n'
    if l_0_tool.deprecated:
        yield '\nDeprecated'
        if l_0_tool.deprecated.since:
            yield ' since '
            yield environment.write(l_0_tool.deprecated.since)
        yield '.'
        if l_0_tool.deprecated.use:
            yield ' Use '
            yield environment.write(t_1(l_0_tool.deprecated.use))
            yield ' instead.'
        if l_0_tool.deprecated.remove:
            yield ' It will be removed in '
            yield environment.write(l_0_tool.deprecated.remove)
            yield '.'
        yield '\n'
    if l_0_tool.description:
        yield '\n'
        yield environment.write(t_5(l_0_tool.description))
        yield '\n'
    yield '\n'
    if l_0_tool.parameters.rows or (l_0_tool.parameters.about and (not l_0_tool.takes_anything)):
        yield '**Parameters**\n'
        l_1_schema = l_0_tool.parameters
        gen = environment.render('_inputs.md.jinja', {**context, **{'schema': l_1_schema}})
        yield from gen
        l_1_schema = missing
    else:
        yield '**Parameters:** '
        yield environment.write('any; they are passed on unchecked.' if l_0_tool.takes_anything else 'none.')
        yield '\n'
    yield '\n**Returns:** '
    yield environment.write(l_0_tool.result.sentences)
    if l_0_tool.content_type:
        yield ' Content type '
        yield environment.write(t_1(l_0_tool.content_type))
        yield '.'
    if l_0_tool.reduction == 'join':
        yield ' It arrives in pieces; joined, they are the result.'
    elif l_0_tool.reduction == 'list':
        yield ' It arrives item by item; all of them together are the result.'
    elif l_0_tool.reduction == 'last':
        yield ' It arrives in chunks; the last one is the result.'
    yield '\n'
    l_1_rows = l_0_tool.result.rows
    l_1_presence = 'Always present'
    l_1_defaults = False
    gen = environment.render('_members.md.jinja', {**context, **{'defaults': l_1_defaults, 'presence': l_1_presence, 'rows': l_1_rows}})
    yield from gen
    l_1_rows = l_1_presence = l_1_defaults = missing
    if l_0_tool.chunk:
        yield '\n**Chunk:** '
        yield environment.write(l_0_tool.chunk.sentences)
        yield '\n'
        l_1_rows = l_0_tool.chunk.rows
        l_1_presence = 'Always present'
        l_1_defaults = False
        gen = environment.render('_members.md.jinja', {**context, **{'defaults': l_1_defaults, 'presence': l_1_presence, 'rows': l_1_rows}})
        yield from gen
        l_1_rows = l_1_presence = l_1_defaults = missing
    if l_0_tool.has_notes:
        yield '\n'
        if l_0_tool.version:
            yield '- Version '
            yield environment.write(t_1(l_0_tool.version))
            yield '; the highest one answers to '
            yield environment.write(t_1(l_0_tool.family))
            yield '.\n'
        if l_0_tool.aliases:
            yield '- Also answers to '
            yield environment.write(t_2(t_4(context, l_0_tool.aliases, 'code'), ', '))
            yield '.\n'
        if l_0_tool.icon:
            yield '- Icon: '
            yield environment.write(t_1(l_0_tool.icon))
            yield '.\n'
        if l_0_tool.risk_reason:
            yield '- Risk tier '
            yield environment.write(l_0_tool.risk_tier)
            yield ': '
            yield environment.write(l_0_tool.risk_reason)
            yield '\n'
        l_1_notes = l_0_tool.own_notes
        gen = environment.render('_notes.md.jinja', {**context, **{'notes': l_1_notes}})
        yield from gen
        l_1_notes = missing
    if l_0_tool.errors:
        yield '\n**Errors**\n\n| Code | When | Retryable |\n| --- | --- | --- |\n'
        for l_1_error in l_0_tool.errors:
            yield '| '
            yield environment.write(t_1(l_1_error.code))
            yield ' | '
            yield environment.write(l_1_error.description)
            yield ' | '
            yield environment.write('yes' if l_1_error.retryable else 'no')
            yield ' |\n'
        l_1_error = missing
    if l_0_tool.extensions:
        yield '\n**Extensions**\n'
        l_1_extensions = l_0_tool.extensions
        gen = environment.render('_extensions.md.jinja', {**context, **{'extensions': l_1_extensions}})
        yield from gen
        l_1_extensions = missing
    for l_1_example in l_0_tool.examples:
        yield '\n**Example:** '
        yield environment.write('made up' if l_1_example.is_made else l_1_example.title)
        yield '\n\n'
        yield environment.write(t_3(l_1_example.input))
        yield '\n\n'
        if l_1_example.error:
            yield 'Fails with '
            yield environment.write(t_1(l_1_example.error))
            yield '.\n'
        else:
            yield 'Returns\n\n'
            yield environment.write(t_3(l_1_example.output))
            yield '\n'
    l_1_example = missing


def changelog_md(context, environment):
    l_0_changelog = context['changelog']
    t_1 = environment.filters['code']
    t_2 = environment.filters['prose']
    yield '# Changelog\n\nChanges of the tools that callers, models or reviewers notice, the newest first. [All services](README.md)\n'
    for l_1_entry in l_0_changelog.entries:
        yield '\n## '
        yield environment.write(l_1_entry.day)
        yield ' · '
        yield environment.write(l_1_entry.service)
        if l_1_entry.version:
            yield ' '
            yield environment.write(l_1_entry.version)
        yield '\n\n'
        for l_2_change in l_1_entry.changes:
            yield '- **'
            yield environment.write(l_2_change.level)
            yield '** '
            yield environment.write(t_1(l_2_change.name))
            yield ': '
            yield environment.write(t_2(l_2_change.message))
            if l_2_change.reason:
                yield '. Reason: '
                yield environment.write(l_2_change.reason)
            if l_2_change.until:
                yield ' (until '
                yield environment.write(l_2_change.until)
                yield ')'
            yield '\n'
        l_2_change = missing
    l_1_entry = missing


def service_md(context, environment):
    l_0_service = context['service']
    t_1 = environment.filters['code']
    t_2 = environment.filters['join']
    t_3 = environment.filters['json_block']
    t_4 = environment.filters['length']
    t_5 = environment.filters['map']
    t_6 = environment.filters['page_title']
    t_7 = environment.filters['program']
    t_8 = environment.filters['text']
    yield '# '
    yield environment.write(t_6(l_0_service.title) or t_1(l_0_service.name))
    yield '\n\nService '
    yield environment.write(t_1(l_0_service.name))
    yield ' · version '
    yield environment.write(t_1(l_0_service.version))
    yield ' · '
    if l_0_service.category:
        yield environment.write(l_0_service.category)
        yield ' · '
    if not l_0_service.has_prefix:
        yield 'names without a prefix · '
    yield 'formats '
    yield environment.write('checked' if l_0_service.asserts_formats else 'not checked')
    yield ' · [all services](README.md)\n'
    if l_0_service.description:
        yield '\n'
        yield environment.write(t_8(l_0_service.description))
        yield '\n'
    if l_0_service.tools:
        yield '\n| Tool | Safety |'
        if not l_0_service.sizes:
            yield ' Tokens |'
        yield ' Description |\n| --- | --- |'
        if not l_0_service.sizes:
            yield ' --- |'
        yield ' --- |\n'
        for l_1_tool in l_0_service.tools:
            yield '| '
            yield environment.write(l_1_tool.link)
            yield ' | '
            yield environment.write(t_2(l_1_tool.own_flags, ' · '))
            yield ' |'
            if not l_0_service.sizes:
                yield ' '
                yield environment.write(l_1_tool.tokens)
                yield ' |'
            yield ' '
            yield environment.write(l_1_tool.summary)
            yield ' |\n'
        l_1_tool = missing
    if l_0_service.common or l_0_service.common_flags:
        yield '\n**All tools**'
        for l_1_flag in l_0_service.common_flags:
            yield ' · '
            yield environment.write(l_1_flag)
        l_1_flag = missing
        yield '\n'
        if l_0_service.common:
            yield '\n'
            l_1_notes = l_0_service.common
            gen = environment.render('_notes.md.jinja', {**context, **{'notes': l_1_notes}})
            yield from gen
            l_1_notes = missing
    if l_0_service.instructions:
        yield '\n## Instructions\n\nInstructions that a client may pass to its model:\n\n'
        yield environment.write(t_8(l_0_service.instructions))
        yield '\n'
    yield '\n## How to call it\n'
    for l_1_snippet in l_0_service.calls.snippets:
        yield '\n'
        if l_1_snippet.key == 'python':
            yield 'From Python, with the generated client and a server that answers from the examples; in process, '
            yield environment.write(t_1(l_0_service.calls.client))
            yield ' calls your own handlers:\n'
        elif l_1_snippet.key == 'mcp':
            yield 'From Python with the MCP SDK, and a server that `toolspec serve --transport http` runs:\n'
        elif l_1_snippet.key == 'shell':
            yield 'From a shell:\n'
        else:
            yield 'By JSON-RPC over HTTP. A tool that changes something may answer with a question first:\n'
        yield '\n'
        yield environment.write(t_7(l_1_snippet))
        yield '\n'
    l_1_snippet = missing
    yield '\nFrom an MCP client; this goes into its configuration, with the folder of the project as `cwd` if the client starts elsewhere. Without `--handlers module:object` the server answers from the examples:\n\n'
    yield environment.write(t_3(l_0_service.calls.configuration))
    yield '\n\n## Connect\n\nA client connects to a server of the service, such as `toolspec serve --transport http`. Where the server names who issues its tokens, Claude Code (`/mcp`), Claude Desktop, VS Code and Cursor sign in with a browser.'
    if l_0_service.calls.connect.scopes:
        yield ' Tools of this service need the scopes '
        yield environment.write(t_2(t_5(context, l_0_service.calls.connect.scopes, 'code'), ', '))
        yield '.'
    yield '\n'
    for l_1_snippet, l_1_other in l_0_service.calls.connect.clients:
        yield '\n'
        yield environment.write(l_1_snippet.title)
        yield ':\n\n'
        yield environment.write(t_7(l_1_snippet))
        yield '\n'
    l_1_snippet = l_1_other = missing
    yield '\nWith a bearer token, which the environment variable `TOOLSPEC_TOKEN` has. VS Code asks for it and keeps it; Claude Desktop needs it in its configuration, which is not to be shared then:\n'
    for l_1_other, l_1_snippet in l_0_service.calls.connect.clients:
        yield '\n'
        yield environment.write(l_1_snippet.title)
        yield ':\n\n'
        yield environment.write(t_7(l_1_snippet))
        yield '\n'
    l_1_other = l_1_snippet = missing
    if l_0_service.settings:
        yield '\n## Settings\n\nAn administrator sets these once for all callers.\n'
        l_1_schema = l_0_service.settings
        gen = environment.render('_inputs.md.jinja', {**context, **{'schema': l_1_schema}})
        yield from gen
        l_1_schema = missing
    if l_0_service.auth:
        l_1_auth = l_0_service.auth
        gen = environment.render('_auth.md.jinja', {**context, **{'auth': l_1_auth}})
        yield from gen
        l_1_auth = missing
    if l_0_service.instances:
        yield '\n## Instances\n\nEach instance has its own settings and credentials.'
        if t_4(l_0_service.instances) > 1:
            yield ' Each call names one in `instance`.'
        yield '\n\n| Instance | Title | Description |\n| --- | --- | --- |\n'
        for l_1_instance in l_0_service.instances:
            yield '| '
            yield environment.write(t_1(l_1_instance.name))
            yield ' | '
            yield environment.write(l_1_instance.title)
            yield ' | '
            yield environment.write(l_1_instance.description)
            yield ' |\n'
        l_1_instance = missing
    if l_0_service.modes:
        yield '\n## Modes\n\nWithout a mode the service is live. In each of these modes a tool that writes has risk tier 1, and the mode has settings and credentials of its own: start it with '
        yield environment.write(t_1(str_join(('toolspec serve --mode ', l_0_service.modes[0].name))))
        yield ', or pass `mode` to `bind`.\n\n| Mode | Description |\n| --- | --- |\n'
        for l_1_mode in l_0_service.modes:
            yield '| '
            yield environment.write(t_1(l_1_mode.name))
            yield ' | '
            yield environment.write(l_1_mode.description)
            yield ' |\n'
        l_1_mode = missing
    if l_0_service.errors:
        yield '\n## Errors\n\nErrors that tools of this service declare, besides those of any call (invalid input, missing permission, a timeout).\n\n| Code | When | Retryable | Tools |\n| --- | --- | --- | --- |\n'
        for l_1_error in l_0_service.errors:
            yield '| '
            yield environment.write(t_1(l_1_error.code))
            yield ' | '
            yield environment.write(l_1_error.description)
            yield ' | '
            yield environment.write('yes' if l_1_error.retryable else 'no')
            yield ' | '
            yield environment.write(t_2(l_1_error.tools, ', '))
            yield ' |\n'
        l_1_error = missing
    if l_0_service.extensions:
        yield '\n## Extensions\n'
        l_1_extensions = l_0_service.extensions
        gen = environment.render('_extensions.md.jinja', {**context, **{'extensions': l_1_extensions}})
        yield from gen
        l_1_extensions = missing
    l_1_safety = l_0_service.safety
    gen = environment.render('_safety.md.jinja', {**context, **{'safety': l_1_safety}})
    yield from gen
    l_1_safety = missing
    yield '\n## Tokens\n\n'
    l_1_token_bytes = l_0_service.token_bytes
    gen = environment.render('_tokens.md.jinja', {**context, **{'token_bytes': l_1_token_bytes}})
    yield from gen
    l_1_token_bytes = missing
    if l_0_service.sizes:
        yield '\n| Tool |'
        for l_1_target in l_0_service.sizes.targets:
            yield ' '
            yield environment.write(t_1(l_1_target))
            yield ' |'
        l_1_target = missing
        yield '\n| --- |'
        for l_1_target in l_0_service.sizes.targets:
            yield ' --- |'
        l_1_target = missing
        yield '\n'
        for l_1_link, l_1_sizes in l_0_service.sizes.rows:
            yield '| '
            yield environment.write(l_1_link)
            yield ' |'
            for l_2_size in l_1_sizes:
                yield ' '
                yield environment.write(l_2_size)
                yield ' |'
            l_2_size = missing
            yield '\n'
        l_1_link = l_1_sizes = missing
    l_1_loop = missing
    for l_1_group, l_1_loop in LoopContext(l_0_service.groups):
        yield '\n## '
        yield environment.write(l_1_group.name or ('Tools' if l_1_loop.length == 1 else 'Other tools'))
        yield '\n'
        for l_2_tool in l_1_group.tools:
            gen = environment.render('_tool.md.jinja', {**context, **{'tool': l_2_tool, 'group': l_1_group, 'loop': l_1_loop}})
            yield from gen
        l_2_tool = missing
    l_1_loop = l_1_group = missing
    if l_0_service.types:
        yield '\n## Types\n'
        for l_1_type in l_0_service.types:
            yield '\n### Type '
            yield environment.write(t_1(l_1_type.name))
            yield '\n\n'
            yield environment.write(l_1_type.schema.sentences)
            yield '\n'
            l_2_rows = l_1_type.schema.rows
            l_2_presence = 'Required'
            l_2_defaults = l_1_type.schema.has_defaults
            gen = environment.render('_members.md.jinja', {**context, **{'defaults': l_2_defaults, 'presence': l_2_presence, 'rows': l_2_rows, 'type': l_1_type}})
            yield from gen
            l_2_rows = l_2_presence = l_2_defaults = missing
        l_1_type = missing


FUNCTIONS = {
    "README.md.jinja": README_md,
    "_auth.md.jinja": _auth_md,
    "_extensions.md.jinja": _extensions_md,
    "_inputs.md.jinja": _inputs_md,
    "_members.md.jinja": _members_md,
    "_notes.md.jinja": _notes_md,
    "_safety.md.jinja": _safety_md,
    "_tokens.md.jinja": _tokens_md,
    "_tool.md.jinja": _tool_md,
    "changelog.md.jinja": changelog_md,
    "service.md.jinja": service_md,
}
