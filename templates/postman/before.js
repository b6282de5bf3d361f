{% for variable in variables %}
pm.collectionVariables.unset({{ variable | js }});
{% endfor %}
