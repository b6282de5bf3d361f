const mastor = eval(pm.collectionVariables.get("mastorLibrary"))({{ id | js }});
{% for variable in variables %}
pm.collectionVariables.unset({{ variable | js }});
{% endfor %}
mastor.before({% if writes %}true{% else %}false{% endif %});
