const mastor = eval(pm.collectionVariables.get("mastorLibrary"))({{ id | js }});
mastor.after({% if writes %}true{% else %}false{% endif %});
{% if renews is not none %}
if (!eval(pm.collectionVariables.get("mastorUsers"))({{ renews | js }}).renews()) {
{% endif %}
{% for check in checks %}
{% if renews is not none %}  {% endif %}mastor.{{ check.name | ident }}({% for it in check.arguments %}{% if it.kind == "codes" %}[{{ it.codes | join(", ") | safe }}]{% else %}{{ it.text | js }}{% endif %}{% if not loop.last %}, {% endif %}{% endfor %});
{% endfor %}
{% if renews is not none %}
}
{% endif %}
