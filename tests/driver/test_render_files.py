"""Files of `[[render]]`: owned, cached and compared as every other artifact, by a template alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from toolspec.cli.app import app
from toolspec.targets.render.filters import FILTERS
from typer.testing import CliRunner

SPEC = """\
toolspec: 1
service: {{name: {name}, version: 1.0.0, description: Orders of a shop.}}
tools:
  - name: listOrders
    description: List the orders of the signed-in user, newest first.
    outputSchema: {{type: string, description: The orders.}}
    mutation: false
    timeout: {{total: 1.5}}
"""
CONFIGURATION = """\
targets = []
[[render]]
template = "page.j2"
for = "service"
to = "{service}.txt"
[[render]]
template = "tool.j2"
for = "tool"
to = "tools/{service}/{tool}.txt"
[[render]]
template = "all.j2"
for = "project"
to = "all.txt"
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "specs").mkdir()
    for name in ("shop", "store"):
        (tmp_path / "specs" / f"{name}.yaml").write_text(SPEC.format(name=name))
    (tmp_path / "toolspec.toml").write_text(CONFIGURATION)
    (tmp_path / "page.j2").write_text("{{ service.name }}: {{ tools | json }}\n")
    (tmp_path / "tool.j2").write_text("{{ tool.timeout.total }} {{ tool.title }}\n")
    (tmp_path / "all.j2").write_text("{{ catalog | json }}\n")
    return tmp_path


def compiled(*options: str, status: int = 0) -> str:
    result = CliRunner().invoke(app, ["compile", *options])
    assert result.exit_code == status, result.output
    return result.output


def files(project: Path) -> dict[str, str]:
    out = project / "generated"
    return {
        path.relative_to(out).as_posix(): path.read_text() for path in sorted(out.rglob("*.txt"))
    }


def test_a_cached_and_a_parallel_compile_make_the_same_files(project: Path) -> None:
    compiled("--no-cache")
    cold = files(project)
    assert cold.keys() == {
        *("shop.txt", "store.txt", "all.txt"),
        *("tools/shop/shop_listOrders.txt", "tools/store/store_listOrders.txt"),
    }
    assert cold["tools/shop/shop_listOrders.txt"] == "1.5 List Orders\n"
    for options in (["--jobs", "2"], [], []):
        compiled(*options)
        assert files(project) == cold
    # One unit of the cache is made again, the other is read.
    spec = project / "specs" / "shop.yaml"
    spec.write_text(spec.read_text().replace("newest first", "oldest first"))
    compiled()
    warm = files(project)
    compiled("--no-cache")
    assert files(project) == warm
    assert warm["all.txt"] != cold["all.txt"]
    assert warm["store.txt"] == cold["store.txt"]


def test_templates_see_the_schemas_of_each_tool(project: Path) -> None:
    spec = project / "specs" / "shop.yaml"
    schemas = (
        "    inputSchema: {type: object, properties: {page: {$ref: '#/$defs/page'}}}\n"
        "    streaming: true\n    chunkSchema: {type: string, description: A part.}\n"
    )
    text = spec.read_text().replace("    mutation:", f"{schemas}    mutation:")
    spec.write_text(f"{text}$defs: {{page: {{type: integer, description: The page.}}}}\n")
    wanted = (
        "{% for name, schema in tool.inputSchema.properties | items %}{{ name }} {{ schema['$ref'] }} "
        "{{ tool.inputSchema['$defs'].page.description }} {% endfor %}"
        "{{ tool.outputSchema.type }} {{ tool.chunkSchema | json }}\n"
    )
    (project / "page.j2").write_text(f"{{% set tool = tools[0] %}}{wanted}")
    (project / "tool.j2").write_text(wanted)
    (project / "all.j2").write_text(f"{{% for tool in catalog.tools %}}{wanted}{{% endfor %}}")
    compiled()
    made = files(project)
    shop = 'page #/$defs/page The page. string {"description":"A part.","type":"string"}\n'
    store = "string null\n"
    assert made["shop.txt"] == made["tools/shop/shop_listOrders.txt"] == shop
    assert made["store.txt"] == made["tools/store/store_listOrders.txt"] == store
    assert made["all.txt"] == shop + store


@pytest.mark.parametrize("use", ["tool.inputSchema.items", "tool.inputSchema.items | json"])
def test_a_method_in_place_of_a_member_is_explained(project: Path, use: str) -> None:
    (project / "tool.j2").write_text(f"{{{{ {use} }}}}\n")
    assert 'a member of its name in brackets, as `schema["items"]`' in compiled(status=1)


def test_a_condition_needs_no_other_case(project: Path) -> None:
    (project / "tool.j2").write_text(
        "{{ 'writes' if tool.mutation }}{{ 'reads' if not tool.mutation }}"
    )
    compiled()
    assert files(project)["tools/shop/shop_listOrders.txt"] == "reads"


def test_an_edited_template_makes_its_files_again_and_only_those(project: Path) -> None:
    compiled()
    before = files(project)
    (project / "tool.j2").write_text("{{ tool.title }}!\n")
    assert "3 files out of date" in compiled("--check", status=1)
    compiled()
    changed = {name for name, text in files(project).items() if before[name] != text}
    assert changed == {"tools/shop/shop_listOrders.txt", "tools/store/store_listOrders.txt"}
    compiled("--check")


def test_a_file_of_a_template_is_owned(project: Path) -> None:
    compiled()
    (project / "generated" / "shop.txt").write_text("edited\n")
    assert "generated/shop.txt" in compiled(status=1)
    compiled("--adopt")
    (project / "toolspec.toml").write_text('targets = []\nspecs = ["specs"]\n')
    compiled("--prune")
    assert not files(project)


def test_other_targets_leave_the_files_alone(project: Path) -> None:
    compiled()
    compiled("--target", "catalog")
    assert files(project)
    compiled("--target", "render", "--check")


def test_a_link_out_of_the_project_is_not_read(project: Path) -> None:
    secret = project.parent / f"{project.name}-secret.txt"
    secret.write_text("secret\n")
    (project / "page.j2").unlink()
    (project / "page.j2").symlink_to(secret)
    assert "is outside the project" in compiled(status=2)


@pytest.mark.parametrize(
    "template",
    [
        "{{ ''.__class__.__mro__ }}",
        "{{ service.update({'name': 'x'}) }}",
        "{{ self.__init__.__globals__ }}",
        "{{ range(10000000) | list }}",
        "{% include '/etc/passwd' %}",
        "{% import 'os' as os %}",
        "{{ lipsum() }}",
        "{{ tools | random }}",
    ],
)
def test_a_template_stays_in_its_sandbox(project: Path, template: str) -> None:
    (project / "page.j2").write_text(template)
    assert "error[render/template]" in compiled(status=1)
    assert not files(project)


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("md", "a *b* <i>", r"a \*b\* &lt;i>"),
        ("md_text", "a\n\n# b", "a\n\n\\# b"),
        ("md_code", "a|b", r"a\|b"),
        ("html", '<b title="x">&\'', "&lt;b title=&quot;x&quot;&gt;&amp;&#x27;"),
        ("json", {"b": [1, None], "a": "</script>"}, r'{"a":"\u003c/script>","b":[1,null]}'),
        ("csv", ["a", 'b"c', "d,e", True, None, 1.5, "f\ng"], 'a,"b""c","d,e",true,,1.5,"f\ng"'),
        ("csv", "a,b", '"a,b"'),
    ],
)
def test_filters_escape_values(name: str, value: object, text: str) -> None:
    assert FILTERS[name](value) == text


def test_a_template_includes_files_below_its_folder(project: Path) -> None:
    parts = project / "wiki" / "parts"
    parts.mkdir(parents=True)
    (project / "page.j2").rename(project / "wiki" / "page.j2")
    (project / "toolspec.toml").write_text(CONFIGURATION.replace("page.j2", "wiki/page.j2"))
    (project / "wiki" / "page.j2").write_text(
        "{% include 'parts/head.j2' %}{% include 'x' ignore missing %}"
    )
    (parts / "head.j2").write_text('{{ service.name }}{%- include "parts/end.j2" -%}')
    (parts / "end.j2").write_text("!")
    compiled()
    assert files(project)["shop.txt"] == "shop!"
    (parts / "end.j2").write_text("?")
    compiled()
    assert files(project)["shop.txt"] == "shop?"
    (project / "wiki" / "x").write_text(" appeared")
    compiled("--check", status=1)
    compiled()
    assert files(project)["shop.txt"] == "shop? appeared"


def test_an_included_file_may_not_be_a_link_out_of_the_folder(project: Path) -> None:
    (project / "wiki").mkdir()
    (project / "secret").write_text("secret")
    (project / "wiki" / "page.j2").write_text("{% include 'part' %}")
    (project / "wiki" / "part").symlink_to(project / "secret")
    (project / "toolspec.toml").write_text(CONFIGURATION.replace("page.j2", "wiki/page.j2"))
    assert "`wiki/part` is outside the folder of `wiki/page.j2`" in compiled(status=2)


def test_half_of_a_surrogate_pair_is_an_error_of_the_template(project: Path) -> None:
    (project / "page.j2").write_text('{{ service.name }}\n{{ "\\ud800" | csv }}\n')
    said = compiled(status=1)
    assert "half of a surrogate pair" in said
    assert "--> page.j2:2:1" in said


def test_files_without_their_template_are_kept_as_the_hint_says(project: Path) -> None:
    compiled()
    (project / "toolspec.toml").write_text('targets = ["catalog"]\n')
    said = compiled()
    assert "5 files of the target `render` remain unchanged" in said
    assert "help: restore its `[[render]]` tables in the configuration to keep" in said
    (project / "toolspec.toml").write_text(CONFIGURATION)
    assert "6 files in generated/" in compiled("--prune")
