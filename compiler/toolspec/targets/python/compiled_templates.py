"""Templates of the python target as functions; `make reference` writes them from `templates/`."""

# mypy: ignore-errors

from __future__ import annotations

from toolspec.targets.template_runtime import LoopContext, str_join

missing = None


def __init___py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    t_1 = environment.filters['string']
    t_2 = environment.tests['none']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('The ', l_0_service.name, ' service: its tools, handlers to write, registry, clients and types.'))))
    yield '\n\nfrom __future__ import annotations\n\nfrom toolspec.runtime import '
    if l_0_service.configuration:
        yield 'ConfigurationSchemas, '
    if not t_2(l_0_service.oauth):
        yield 'OAuth, '
    yield 'ServiceDefinition, '
    if l_0_service.tools:
        yield 'ToolDefinition, '
    yield 'bind_service\n\nTYPE_CHECKING = False\n\nif TYPE_CHECKING:\n'
    l_1_sections = l_0_service.bind_imports
    gen = environment.render('_imports.jinja', {**context, **{'sections': l_1_sections}})
    yield from gen
    l_1_sections = missing
    yield '\nSERVICE = ServiceDefinition(\n'
    for l_1_field in l_0_service.definition:
        yield '    '
        yield environment.write(l_1_field.name)
        yield '='
        yield environment.write(l_1_field.value)
        yield ',\n'
    l_1_field = missing
    if not t_2(l_0_service.oauth):
        yield '    oauth=OAuth(\n'
        for l_1_field in l_0_service.oauth:
            yield '        '
            yield environment.write(l_1_field.name)
            yield '='
            yield environment.write(l_1_field.value)
            yield ',\n'
        l_1_field = missing
        yield '    ),\n'
    if l_0_service.configuration:
        yield '    configuration=ConfigurationSchemas(\n'
        for l_1_field in l_0_service.configuration:
            yield '        '
            yield environment.write(l_1_field.name)
            yield '='
            yield environment.write(l_1_field.value)
            yield ',\n'
        l_1_field = missing
        yield '    ),\n'
    l_1_loop = missing
    for (l_1_name, l_1_schema), l_1_loop in LoopContext(l_0_service.definitions):
        if l_1_loop.first:
            yield '    definitions={\n'
        yield '        '
        yield environment.write(l_1_name)
        yield ': '
        yield environment.write(l_1_schema)
        yield ',\n'
        if l_1_loop.last:
            yield '    },\n'
    l_1_loop = l_1_name = l_1_schema = missing
    if l_0_service.tools:
        yield '    tools=(\n'
        for l_1_tool in l_0_service.tools:
            yield '        ToolDefinition(\n'
            for l_2_field in l_1_tool.definition:
                yield '            '
                yield environment.write(l_2_field.name)
                yield '='
                yield environment.write(l_2_field.value)
                yield ',\n'
            l_2_field = missing
            yield '        ),\n'
        l_1_tool = missing
        yield '    ),\n'
    else:
        yield '    tools=(),\n'
    yield ')\n\n\ndef bind(\n    handlers: '
    yield environment.write(l_0_service.handlers_type)
    yield ',\n    *,\n'
    for l_1_option in l_0_service.bind_options:
        yield '    '
        yield environment.write(l_1_option.name)
        yield ': '
        yield environment.write(l_1_option.type)
        yield ' = None,\n'
    l_1_option = missing
    yield '    output_check: OutputCheck = "strict",\n    log: Logger | None = None,\n    mode: str = "",\n) -> Registry:\n    """Return a registry of this service.\n\n    The handlers are an object with a method for each tool, a module, or a mapping of\n    functions by name. An invalid result is an error, unless `output_check` is "warn" or\n    "off". In a `mode` of the service nothing real is changed. Raises BindError with all\n    problems.\n    """\n    return bind_service(\n        SERVICE,\n        handlers,\n'
    for l_1_option in l_0_service.bind_options:
        yield '        '
        yield environment.write(l_1_option.name)
        yield '='
        yield environment.write(l_1_option.name)
        yield ',\n'
    l_1_option = missing
    yield '        output_check=output_check,\n        log=log,\n        mode=mode,\n    )\n\n\n_HOMES = {\n'
    for l_1_name, l_1_home in l_0_service.exports:
        yield '    '
        yield environment.write(t_1(l_1_name))
        yield ': '
        yield environment.write(t_1(l_1_home))
        yield ',\n'
    l_1_name = l_1_home = missing
    yield '}\n\n\ndef __getattr__(name: str) -> object:\n    from importlib import import_module\n\n    if name == "__all__":\n        return ["SERVICE", "bind", *_HOMES, *import_module(".types", __name__).__all__]\n    home = _HOMES.get(name)\n    if home is None:\n        if name.islower():\n            raise AttributeError(name)\n        home = ".types"\n    return globals().setdefault(name, getattr(import_module(home, __name__), name))\n'


def __init___pyi(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('Public names of the ', l_0_service.name, ' service, for type checkers.'))))
    yield '\n\n'
    l_1_loop = missing
    for l_1_section, l_1_loop in LoopContext(l_0_service.stub_imports):
        l_2_loop = missing
        for l_2_import, l_2_loop in LoopContext(l_1_section):
            yield 'from '
            yield environment.write(l_2_import.source)
            yield ' import '
            l_3_loop = missing
            for l_3_name, l_3_loop in LoopContext(l_2_import.names):
                yield environment.write(l_3_name)
                if not l_3_loop.last:
                    yield ', '
            l_3_loop = l_3_name = missing
            yield '\n'
        l_2_loop = l_2_import = missing
        yield '\n'
    l_1_loop = l_1_section = missing
    for l_1_export in l_0_service.stub_exports:
        gen = environment.render('_export.jinja', {**context, **{'export': l_1_export}})
        yield from gen
    l_1_export = missing
    yield 'from .types import *\n'
    for l_1_export in l_0_service.stub_types:
        gen = environment.render('_export.jinja', {**context, **{'export': l_1_export}})
        yield from gen
    l_1_export = missing
    yield '\nSERVICE: ServiceDefinition\n\ndef bind(\n    handlers: '
    yield environment.write(l_0_service.handlers_type)
    yield ',\n    *,\n'
    for l_1_option in l_0_service.bind_options:
        yield '    '
        yield environment.write(l_1_option.name)
        yield ': '
        yield environment.write(l_1_option.type)
        yield ' = None,\n'
    l_1_option = missing
    yield '    output_check: OutputCheck = "strict",\n    log: Logger | None = None,\n    mode: str = "",\n) -> Registry: ...\n'


def _call(context, environment):
    l_0_each = context['each']
    yield 'self.'
    yield environment.write(l_0_each.call)
    yield '('
    if l_0_each.call_is_wide:
        yield '\n'
        for l_1_argument in l_0_each.arguments:
            yield '            '
            yield environment.write(l_1_argument)
            yield ',\n'
        l_1_argument = missing
        yield '        )'
    else:
        l_1_loop = missing
        for l_1_argument, l_1_loop in LoopContext(l_0_each.arguments):
            yield environment.write(l_1_argument)
            if not l_1_loop.last:
                yield ', '
        l_1_loop = l_1_argument = missing
        yield ')'


def _class(context, environment):
    l_0_name = context['name']
    l_0_base = context['base']
    t_1 = environment.filters['length']
    if t_1(l_0_name) + t_1(l_0_base) > 79:
        yield 'class '
        yield environment.write(l_0_name)
        yield '(\n    '
        yield environment.write(l_0_base)
        yield '\n):\n'
    else:
        yield 'class '
        yield environment.write(l_0_name)
        yield '('
        yield environment.write(l_0_base)
        yield '):\n'


def _export(context, environment):
    l_0_export = context['export']
    if l_0_export.is_wide:
        yield 'from '
        yield environment.write(l_0_export.source)
        yield ' import (\n    '
        yield environment.write(l_0_export.names[0])
        yield ' as '
        yield environment.write(l_0_export.names[0])
        yield ',\n)\n'
    else:
        yield 'from '
        yield environment.write(l_0_export.source)
        yield ' import '
        yield environment.write(l_0_export.names[0])
        yield ' as '
        yield environment.write(l_0_export.names[0])
        yield '\n'


def _imports(context, environment):
    l_0_sections = context['sections']
    l_1_loop = missing
    for l_1_section, l_1_loop in LoopContext(l_0_sections):
        if not l_1_loop.first:
            yield '\n'
        l_2_loop = missing
        for l_2_import, l_2_loop in LoopContext(l_1_section):
            if l_2_import.is_wide:
                yield '    from '
                yield environment.write(l_2_import.source)
                yield ' import (\n'
                for l_3_name in l_2_import.names:
                    yield '        '
                    yield environment.write(l_3_name)
                    yield ',\n'
                l_3_name = missing
                yield '    )\n'
            else:
                yield '    from '
                yield environment.write(l_2_import.source)
                yield ' import '
                l_3_loop = missing
                for l_3_name, l_3_loop in LoopContext(l_2_import.names):
                    yield environment.write(l_3_name)
                    if not l_3_loop.last:
                        yield ', '
                l_3_loop = l_3_name = missing
                yield '\n'
        l_2_loop = l_2_import = missing
    l_1_loop = l_1_section = missing


def _method(context, environment):
    l_0_method = context['method']
    if l_0_method.is_listed:
        yield '    '
        if l_0_method.is_async:
            yield 'async '
        yield 'def '
        yield environment.write(l_0_method.name)
        yield '(\n        self,\n'

        def t_1(fiter):
            for l_1_parameter in fiter:
                if not l_1_parameter.is_keyword:
                    yield l_1_parameter
        for l_1_parameter in t_1(l_0_method.parameters):
            yield '        '
            yield environment.write(l_1_parameter.name)
            yield ': '
            yield environment.write(l_1_parameter.type)
            if l_1_parameter.is_optional:
                yield ' = None'
            yield ',\n'
        l_1_parameter = missing

        def t_2(fiter):
            for l_1_parameter in fiter:
                if l_1_parameter.is_keyword:
                    yield l_1_parameter
        l_1_loop = missing
        for l_1_parameter, l_1_loop in LoopContext(t_2(l_0_method.parameters)):
            if l_1_loop.first:
                yield '        *,\n'
            yield '        '
            yield environment.write(l_1_parameter.name)
            yield ': '
            yield environment.write(l_1_parameter.type)
            if l_1_parameter.is_optional:
                yield ' = None'
            yield ',\n'
        l_1_loop = l_1_parameter = missing
        yield '    ) -> '
        yield environment.write(l_0_method.returns)
        yield ':\n'
    elif l_0_method.is_wide:
        yield '    '
        if l_0_method.is_async:
            yield 'async '
        yield 'def '
        yield environment.write(l_0_method.name)
        yield '(\n        '
        gen = environment.render('_parameters.jinja', {**context, **{}})
        yield from gen
        yield '\n    ) -> '
        yield environment.write(l_0_method.returns)
        yield ':\n'
    else:
        yield '    '
        if l_0_method.is_async:
            yield 'async '
        yield 'def '
        yield environment.write(l_0_method.name)
        yield '('
        gen = environment.render('_parameters.jinja', {**context, **{}})
        yield from gen
        yield ') -> '
        yield environment.write(l_0_method.returns)
        yield ':\n'


def _parameters(context, environment):
    l_0_method = context['method']
    yield 'self'

    def t_1(fiter):
        for l_1_parameter in fiter:
            if not l_1_parameter.is_keyword:
                yield l_1_parameter
    for l_1_parameter in t_1(l_0_method.parameters):
        yield ', '
        yield environment.write(l_1_parameter.name)
        yield ': '
        yield environment.write(l_1_parameter.type)
        if l_1_parameter.is_optional:
            yield ' = None'
    l_1_parameter = missing

    def t_2(fiter):
        for l_1_parameter in fiter:
            if l_1_parameter.is_keyword:
                yield l_1_parameter
    l_1_loop = missing
    for l_1_parameter, l_1_loop in LoopContext(t_2(l_0_method.parameters)):
        if l_1_loop.first:
            yield ', *'
        yield ', '
        yield environment.write(l_1_parameter.name)
        yield ': '
        yield environment.write(l_1_parameter.type)
        if l_1_parameter.is_optional:
            yield ' = None'
    l_1_loop = l_1_parameter = missing


def client_py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    t_1 = environment.filters['length']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('Clients of the ', l_0_service.name, ' service.'))))
    yield '\n\nfrom __future__ import annotations\n\nfrom toolspec.runtime import ServiceClient, SyncServiceClient\n\nfrom . import SERVICE\n\nTYPE_CHECKING = False\n'
    if l_0_service.client_imports:
        yield '\nif TYPE_CHECKING:\n'
        l_1_sections = l_0_service.client_imports
        gen = environment.render('_imports.jinja', {**context, **{'sections': l_1_sections}})
        yield from gen
        l_1_sections = missing
    for l_1_client in l_0_service.clients:
        yield '\n\n'
        if t_1(l_1_client.name) + t_1(l_1_client.base) > 62:
            yield 'class '
            yield environment.write(l_1_client.name)
            yield '(\n    '
            yield environment.write(l_1_client.base)
            yield ', service=SERVICE\n):\n'
        else:
            yield 'class '
            yield environment.write(l_1_client.name)
            yield '('
            yield environment.write(l_1_client.base)
            yield ', service=SERVICE):\n'
        yield '    """Calls the tools of '
        yield environment.write(l_0_service.id)
        yield ', in process or over a connection.\n\n    Tools that read run without approval. Tools that write ask the `approver` unless a rule of\n    the `policy` decides, and are refused without an approver.\n    """\n'
        for l_2_each in l_1_client.methods:
            yield '\n'
            l_3_method = l_2_each.method
            gen = environment.render('_method.jinja', {**context, **{'method': l_3_method, 'each': l_2_each, 'client': l_1_client}})
            yield from gen
            l_3_method = missing
            yield '        '
            yield environment.write(l_0_doc(l_2_each.method.doc, 8))
            yield '\n'
            if l_2_each.call == '_call':
                if l_2_each.head_is_wide:
                    yield '        output: '
                    yield environment.write(l_2_each.method.returns)
                    yield ' = (\n            '
                    if l_1_client.is_async:
                        yield 'await '
                    yield 'self._call(\n'
                    for l_3_argument in l_2_each.arguments:
                        yield '                '
                        yield environment.write(l_3_argument)
                        yield ',\n'
                    l_3_argument = missing
                    yield '            )\n        )\n'
                else:
                    yield '        output: '
                    yield environment.write(l_2_each.method.returns)
                    yield ' = '
                    if l_1_client.is_async:
                        yield 'await '
                    gen = environment.render('_call.jinja', {**context, **{'each': l_2_each, 'client': l_1_client}})
                    yield from gen
                    yield '\n'
                yield '        return output\n'
            elif l_2_each.call == '_stream':
                yield '        return '
                gen = environment.render('_call.jinja', {**context, **{'each': l_2_each, 'client': l_1_client}})
                yield from gen
                yield '\n'
            else:
                yield '        '
                if l_1_client.is_async:
                    yield 'await '
                gen = environment.render('_call.jinja', {**context, **{'each': l_2_each, 'client': l_1_client}})
                yield from gen
                yield '\n'
        l_2_each = missing
        if l_1_client.close:
            yield '\n    def '
            yield environment.write(l_1_client.close)
            yield '(self) -> None:\n        """Close the connection and stop its thread."""\n        self._close()\n'
    l_1_client = missing


def handler_class_py(context, environment):
    l_0_name = context['name']
    l_0_base = context['base']
    l_0_documentation = context['documentation']
    l_0_doc = context['doc']
    l_0_methods = context['methods']
    t_1 = environment.filters['length']
    yield 'class '
    yield environment.write(l_0_name)
    if l_0_base:
        yield '('
        yield environment.write(l_0_base)
        yield ')'
    yield ':\n'
    if l_0_documentation:
        yield '    '
        yield environment.write(l_0_doc(l_0_documentation, 4))
        yield '\n\n'
    l_1_loop = missing
    for l_1_method, l_1_loop in LoopContext(l_0_methods):
        l_1_not_implemented = context['not_implemented']
        if not l_1_loop.first:
            yield '\n'
        gen = environment.render('_method.jinja', {**context, **{'loop': l_1_loop, 'method': l_1_method}})
        yield from gen
        yield '        '
        yield environment.write(l_0_doc(l_1_method.doc, 8))
        yield '\n'
        if l_1_method.streams:
            yield '        for _ in ():\n            yield _\n'
        if t_1(l_1_method.tool) > 55:
            yield '        raise '
            yield environment.write(l_1_not_implemented)
            yield '(\n            '
            yield environment.write(l_1_method.tool)
            yield '\n        )\n'
        else:
            yield '        raise '
            yield environment.write(l_1_not_implemented)
            yield '('
            yield environment.write(l_1_method.tool)
            yield ')\n'
    l_1_loop = l_1_method = l_1_not_implemented = missing


def handlers_py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    t_1 = environment.filters['length']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('Handlers for the ', l_0_service.name, ' service.'))))
    yield '\n\nfrom __future__ import annotations\n\nfrom typing import '
    if l_0_service.handler_imports:
        yield 'TYPE_CHECKING, '
    yield 'Protocol\n'
    if l_0_service.handlers.methods:
        yield '\nfrom toolspec.runtime import not_implemented\n'
    if l_0_service.handler_imports:
        yield '\nif TYPE_CHECKING:\n'
        l_1_sections = l_0_service.handler_imports
        gen = environment.render('_imports.jinja', {**context, **{'sections': l_1_sections}})
        yield from gen
        l_1_sections = missing
    yield '\n\nclass '
    yield environment.write(l_0_service.handlers.name)
    yield '(Protocol):\n    """Handlers for the '
    yield environment.write(l_0_service.id)
    yield ' service.\n\n    A method may also be a plain `def`, which runs in a thread, unless it streams.\n'
    if l_0_service.hooks and l_0_service.has_second_methods:
        yield '\n    Methods that verify and revert run outside of middleware.\n'
    yield '    """\n'
    for l_1_method in l_0_service.handlers.methods:
        yield '\n'
        gen = environment.render('_method.jinja', {**context, **{'method': l_1_method}})
        yield from gen
        yield '        '
        yield environment.write(l_0_doc(l_1_method.doc, 8))
        yield '\n        ...\n'
    l_1_method = missing
    if l_0_service.hooks:
        yield '\n\nclass '
        yield environment.write(l_0_service.hooks.name)
        yield '(Protocol):\n    """Hooks of the '
        yield environment.write(l_0_service.id)
        yield ' service.\n'
        if l_0_service.streams:
            yield "\n    The middleware of a streaming tool receives the handler's iterator before the first\n    chunk. To see the chunks, return a generator that wraps it. `after` receives the whole\n    result when all chunks are sent.\n"
        yield '    """\n'
        for l_1_method in l_0_service.hooks.methods:
            yield '\n'
            gen = environment.render('_method.jinja', {**context, **{'method': l_1_method}})
            yield from gen
            yield '        '
            yield environment.write(l_0_doc(l_1_method.doc, 8))
            yield '\n        ...\n'
        l_1_method = missing
    yield '\n\nclass '
    yield environment.write(l_0_service.stubs.name)
    yield ':\n    """Stubs for the handlers of the '
    yield environment.write(l_0_service.id)
    yield ' service: inherit and override them one by one."""\n'
    for l_1_method in l_0_service.stubs.methods:
        yield '\n'
        gen = environment.render('_method.jinja', {**context, **{'method': l_1_method}})
        yield from gen
        if l_1_method.streams:
            yield '        for _ in ():\n            yield _\n'
        if t_1(l_1_method.tool) > 55:
            yield '        raise not_implemented(\n            '
            yield environment.write(l_1_method.tool)
            yield '\n        )\n'
        else:
            yield '        raise not_implemented('
            yield environment.write(l_1_method.tool)
            yield ')\n'
    l_1_method = missing


def http_py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    t_1 = environment.filters['length']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('Handlers for the ', l_0_service.name, ' service that send HTTP requests.'))))
    yield '\n\nfrom __future__ import annotations\n\nfrom toolspec.runtime.http import '
    if l_0_service.http.has_arguments:
        yield 'HttpArgument, '
    yield 'HttpBinding, HttpHandlers\n\nfrom . import SERVICE\nfrom .handlers import '
    yield environment.write(l_0_service.stubs.name)
    yield '\n\nTYPE_CHECKING = False\n'
    if l_0_service.http.imports:
        yield '\nif TYPE_CHECKING:\n'
        l_1_sections = l_0_service.http.imports
        gen = environment.render('_imports.jinja', {**context, **{'sections': l_1_sections}})
        yield from gen
        l_1_sections = missing
    yield '\n_BINDINGS = {\n'
    for l_1_request in l_0_service.http.requests:
        yield '    '
        yield environment.write(l_1_request.method)
        yield ': HttpBinding(\n'
        for l_2_field in l_1_request.binding:
            yield '        '
            yield environment.write(l_2_field.name)
            yield '='
            yield environment.write(l_2_field.value)
            yield ',\n'
        l_2_field = missing
        if l_1_request.arguments:
            yield '        arguments=(\n'
            for l_2_fields in l_1_request.arguments:
                yield '            HttpArgument(\n'
                for l_3_field in l_2_fields:
                    yield '                '
                    yield environment.write(l_3_field.name)
                    yield '='
                    yield environment.write(l_3_field.value)
                    yield ',\n'
                l_3_field = missing
                yield '            ),\n'
            l_2_fields = missing
            yield '        ),\n'
        yield '    ),\n'
    l_1_request = missing
    yield '}\n\n\n'
    if t_1(l_0_service.http.name) + t_1(l_0_service.stubs.name) > 64:
        yield 'class '
        yield environment.write(l_0_service.http.name)
        yield '(\n    HttpHandlers,\n    '
        yield environment.write(l_0_service.stubs.name)
        yield ',\n):\n'
    else:
        yield 'class '
        yield environment.write(l_0_service.http.name)
        yield '(HttpHandlers, '
        yield environment.write(l_0_service.stubs.name)
        yield '):\n'
    yield '    """Handlers for the '
    yield environment.write(l_0_service.id)
    yield ' service that send HTTP requests.\n\n    Override a method to do its tool\'s work in another way. Tools without a request are stubs.\n    """\n\n    _service = SERVICE\n    _bindings = _BINDINGS\n'
    for l_1_each in l_0_service.http.methods:
        yield '\n'
        l_2_method = l_1_each.method
        gen = environment.render('_method.jinja', {**context, **{'method': l_2_method, 'each': l_1_each}})
        yield from gen
        l_2_method = missing
        if l_1_each.call == '_call':
            if l_1_each.head_is_wide:
                yield '        output: '
                yield environment.write(l_1_each.method.returns)
                yield ' = (\n            await self._call(\n'
                for l_2_argument in l_1_each.arguments:
                    yield '                '
                    yield environment.write(l_2_argument)
                    yield ',\n'
                l_2_argument = missing
                yield '            )\n        )\n'
            else:
                yield '        output: '
                yield environment.write(l_1_each.method.returns)
                yield ' = await '
                gen = environment.render('_call.jinja', {**context, **{'each': l_1_each}})
                yield from gen
                yield '\n'
            yield '        return output\n'
        elif l_1_each.call_is_wide:
            yield '        async for chunk in self._stream(\n'
            for l_2_argument in l_1_each.arguments:
                yield '            '
                yield environment.write(l_2_argument)
                yield ',\n'
            l_2_argument = missing
            yield '        ):\n            yield chunk\n'
        else:
            yield '        async for chunk in '
            gen = environment.render('_call.jinja', {**context, **{'each': l_1_each}})
            yield from gen
            yield ':\n            yield chunk\n'
    l_1_each = missing


def package_py(context, environment):
    l_0_header = context['header']
    l_0_build = context['build']
    t_1 = environment.filters['length']
    yield environment.write(l_0_header)
    yield '\n"""All services of this build."""\n\nfrom __future__ import annotations\n\nfrom toolspec.runtime import require_runtime\n\nrequire_runtime('
    yield environment.write(l_0_build.version)
    yield ')\n\nTYPE_CHECKING = False\n\nif TYPE_CHECKING:\n'
    l_1_sections = l_0_build.imports
    gen = environment.render('_imports.jinja', {**context, **{'sections': l_1_sections}})
    yield from gen
    l_1_sections = missing
    yield '\n__all__ = ["build_registry"]\n\n\ndef build_registry(\n    *,\n'
    for l_1_service in l_0_build.services:
        yield '    '
        yield environment.write(l_1_service.module)
        yield ': '
        yield environment.write(l_1_service.type)
        yield ' = None,\n'
    l_1_service = missing
    yield '    mode: str = "",\n) -> Registry:\n    """Return one registry of the passed services; others are not served.\n\n    Pass the handlers of a service, or the registry that its own `bind` returns, which\n    also takes settings, credentials and hooks. Handlers are bound in `mode`; all services\n    need the same one. Raises BindError with all problems.\n    """\n    from toolspec.runtime import Registry\n    from toolspec.runtime import merge as _merge\n\n    _parts: list[Registry] = []\n'
    for l_1_service in l_0_build.services:
        yield '    if '
        yield environment.write(l_1_service.module)
        yield ' is not None:\n        if isinstance('
        yield environment.write(l_1_service.module)
        yield ', Registry):\n            _parts.append('
        yield environment.write(l_1_service.module)
        yield ')\n        else:\n'
        if t_1(l_1_service.module) > 24:
            yield '            from . import (\n                '
            yield environment.write(l_1_service.module)
            yield ' as '
            yield environment.write(l_1_service.package)
            yield ',\n            )\n'
        else:
            yield '            from . import '
            yield environment.write(l_1_service.module)
            yield ' as '
            yield environment.write(l_1_service.package)
            yield '\n'
        yield '\n'
        if t_1(l_1_service.module) > 22:
            yield '            _parts.append(\n                '
            yield environment.write(l_1_service.package)
            yield '.bind(\n                    '
            yield environment.write(l_1_service.module)
            yield ', mode=mode\n                )\n            )\n'
        elif t_1(l_1_service.module) > 17:
            yield '            _parts.append(\n                '
            yield environment.write(l_1_service.package)
            yield '.bind('
            yield environment.write(l_1_service.module)
            yield ', mode=mode)\n            )\n'
        else:
            yield '            _parts.append('
            yield environment.write(l_1_service.package)
            yield '.bind('
            yield environment.write(l_1_service.module)
            yield ', mode=mode))\n'
    l_1_service = missing
    yield '    return _merge(*_parts)\n'


def schemas_py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(str_join(('Schemas of results of the ', l_0_service.name, ' service, loaded by the first call.'))))
    yield '\n\nfrom __future__ import annotations\n\nfrom toolspec.runtime import ToolSchemas\n\n'
    l_1_loop = missing
    t_1 = 1
    for l_1_tool, l_1_loop in LoopContext(l_0_service.tools):
        if l_1_loop.first:
            yield 'SCHEMAS: dict[str, ToolSchemas] = {\n'
        if l_1_tool.schemas_fit:
            yield '    '
            yield environment.write(l_1_tool.method)
            yield ': ToolSchemas('
            l_2_loop = missing
            for l_2_field, l_2_loop in LoopContext(l_1_tool.schemas):
                yield environment.write(l_2_field.name)
                yield '='
                yield environment.write(l_2_field.value)
                if not l_2_loop.last:
                    yield ', '
            l_2_loop = l_2_field = missing
            yield '),\n'
        else:
            yield '    '
            yield environment.write(l_1_tool.method)
            yield ': ToolSchemas(\n'
            for l_2_field in l_1_tool.schemas:
                yield '        '
                yield environment.write(l_2_field.name)
                yield '='
                yield environment.write(l_2_field.value)
                yield ',\n'
            l_2_field = missing
            yield '    ),\n'
        if l_1_loop.last:
            yield '}\n'
        t_1 = 0
    l_1_loop = l_1_tool = missing
    if t_1:
        yield 'SCHEMAS: dict[str, ToolSchemas] = {}\n'
    yield '\n'
    l_1_loop = missing
    t_2 = 1
    for (l_1_name, l_1_schema), l_1_loop in LoopContext(l_0_service.result_definitions):
        if l_1_loop.first:
            yield 'DEFINITIONS: dict[str, str] = {\n'
        yield '    '
        yield environment.write(l_1_name)
        yield ': '
        yield environment.write(l_1_schema)
        yield ',\n'
        if l_1_loop.last:
            yield '}\n'
        t_2 = 0
    l_1_loop = l_1_name = l_1_schema = missing
    if t_2:
        yield 'DEFINITIONS: dict[str, str] = {}\n'


def types_py(context, environment):
    l_0_header = context['header']
    l_0_doc = context['doc']
    l_0_service = context['service']
    yield environment.write(l_0_header)
    yield '\n'
    yield environment.write(l_0_doc(l_0_service.types_doc))
    yield '\n\nfrom __future__ import annotations\n'
    if l_0_service.typing_names:
        yield '\nfrom typing import '
        l_1_loop = missing
        for l_1_name, l_1_loop in LoopContext(l_0_service.typing_names):
            yield environment.write(l_1_name)
            if not l_1_loop.last:
                yield ', '
        l_1_loop = l_1_name = missing
        yield '\n'
    yield '\n'
    l_1_loop = missing
    t_1 = 1
    for l_1_name, l_1_loop in LoopContext(l_0_service.type_names):
        if l_1_loop.first:
            yield '__all__ = [\n'
        yield '    '
        yield environment.write(l_1_name)
        yield ',\n'
        if l_1_loop.last:
            yield ']\n'
        t_1 = 0
    l_1_loop = l_1_name = missing
    if t_1:
        yield '__all__: list[str] = []\n'
    for l_1_type in l_0_service.types:
        l_1_TypedDict = context['TypedDict']
        yield '\n\n'
        if l_1_type.form == 'class':
            l_2_name = l_1_type.name
            l_2_base = l_1_TypedDict
            gen = environment.render('_class.jinja', {**context, **{'base': l_2_base, 'name': l_2_name, 'type': l_1_type}})
            yield from gen
            l_2_name = l_2_base = missing
            if l_1_type.doc:
                yield '    '
                yield environment.write(l_0_doc(l_1_type.doc, 4))
                yield '\n'
                if l_1_type.fields:
                    yield '\n'
            elif not l_1_type.fields:
                yield '    pass\n'
            for l_2_name, l_2_kind in l_1_type.fields:
                yield '    '
                yield environment.write(l_2_name)
                yield ': '
                yield environment.write(l_2_kind)
                yield '\n'
            l_2_name = l_2_kind = missing
        else:
            if l_1_type.form == 'alias':
                yield environment.write(l_1_type.name)
                yield ': TypeAlias = '
                yield environment.write(l_1_type.type)
                yield '\n'
            else:
                yield environment.write(l_1_type.name)
                yield ' = TypedDict(\n    '
                yield environment.write(str_join((l_1_type.name, '')))
                yield ',\n    {\n'
                for l_2_key, l_2_kind in l_1_type.fields:
                    yield '        '
                    yield environment.write(l_2_key)
                    yield ': '
                    yield environment.write(l_2_kind)
                    yield ',\n'
                l_2_key = l_2_kind = missing
                yield '    },\n)\n'
            if l_1_type.doc:
                yield environment.write(l_0_doc(l_1_type.doc))
                yield '\n'
    l_1_type = l_1_TypedDict = missing


FUNCTIONS = {
    "__init__.py.jinja": __init___py,
    "__init__.pyi.jinja": __init___pyi,
    "_call.jinja": _call,
    "_class.jinja": _class,
    "_export.jinja": _export,
    "_imports.jinja": _imports,
    "_method.jinja": _method,
    "_parameters.jinja": _parameters,
    "client.py.jinja": client_py,
    "handler_class.py.jinja": handler_class_py,
    "handlers.py.jinja": handlers_py,
    "http.py.jinja": http_py,
    "package.py.jinja": package_py,
    "schemas.py.jinja": schemas_py,
    "types.py.jinja": types_py,
}
