// Made by mastor from the suite in .mastor/suite: change the suite and export again.
package mastor;

import static mastor.Mastor.call;

import org.junit.jupiter.api.BeforeEach;
{% if disables %}
import org.junit.jupiter.api.Disabled;
{% endif %}
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
{% if needs_fresh_state %}
import org.junit.jupiter.api.Tag;
{% endif %}
import org.junit.jupiter.api.Test;
{% if needs_fresh_state %}
import org.junit.jupiter.api.extension.ExtendWith;
{% endif %}

{%- macro argument(it) -%}
{%- if it.kind == "text" -%}{{ it.text | java }}
{%- elif it.kind == "number" -%}{{ it.number }}
{%- elif it.kind == "capture" -%}captures.text({{ it.text | java }})
{%- else -%}captures.fill({{ it.text | java }})
{%- endif -%}
{%- endmacro -%}
{%- macro arguments(list) -%}
{%- for it in list -%}{{ argument(it) }}{%- if not loop.last -%}, {% endif -%}{%- endfor -%}
{%- endmacro %}

@Order({{ order }})
@DisplayName({{ title | java }})
{% if needs_fresh_state %}
@Tag("fresh-state")
@ExtendWith(FreshState.class)
{% endif %}
class {{ class | ident }} {

    @BeforeEach
    void {{ reset.name | ident }}() {
        Mastor.reset({% if reset.path %}{{ reset.path | java }}{% endif %});
    }
{% for test in tests %}

    // {{ test.ids | comment }}
    // {{ test.evidence | comment }}
{% if test.disabled %}
    @Disabled({{ test.disabled | java }})
    @Test
{% if test.order %}
    @Order({{ test.order }})
{% endif %}
    @DisplayName({{ test.title | java }})
    void {{ test.name | ident }}() {}
{% else %}
    @Test
{% if test.order %}
    @Order({{ test.order }})
{% endif %}
    @DisplayName({{ test.title | java }})
    void {{ test.name | ident }}(){% if test.captures %} throws Exception{% endif %} {
{% if test.captures %}
        Mastor.Captures captures = new Mastor.Captures();
{% endif %}
{% for step in test.steps %}
{% if step.request | length == 1 %}
        Mastor.Answer {{ step.answer | ident }} = call({{ step.method | java }}, {{ step.path | java }})
{% for part in step.request[0] %}
                .{{ part.name | ident }}({{ arguments(part.arguments) }})
{% endfor %}
                .send();
{% else %}
        Mastor.Call {{ step.call | ident }} = call({{ step.method | java }}, {{ step.path | java }});
{% for chain in step.request %}
        {{ step.call | ident }}
{% for part in chain %}
                .{{ part.name | ident }}({{ arguments(part.arguments) }}){% if loop.last %};{% endif %}

{% endfor %}
{% endfor %}
        Mastor.Answer {{ step.answer | ident }} = {{ step.call | ident }}.send();
{% endif %}
{% for check in step.checks %}
        {{ step.answer | ident }}.{{ check.name | ident }}({{ arguments(check.arguments) }});
{% endfor %}
{% for more in step.more %}
        {{ more.name | ident }}({{ step.answer | ident }}{% if test.captures %}, captures{% endif %});
{% endfor %}
{% for capture in step.captures %}
        captures.take({{ capture.name | java }}, {{ step.answer | ident }}, {{ capture.from | java }});
{% endfor %}
{% endfor %}
    }
{% for step in test.steps %}
{% for more in step.more %}

    private static void {{ more.name | ident }}(Mastor.Answer answer{% if test.captures %}, Mastor.Captures captures{% endif %}) {
{% for check in more.checks %}
        answer.{{ check.name | ident }}({{ arguments(check.arguments) }});
{% endfor %}
    }
{% endfor %}
{% endfor %}
{% endif %}
{% endfor %}
}
