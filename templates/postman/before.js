{% for variable in variables %}
pm.collectionVariables.unset({{ variable | js }});
{% endfor %}
{% if user is not none %}
const user = eval(pm.collectionVariables.get("mastorUsers"))({{ user | js }});
{% endif %}
{% if resets %}
const mastor = eval(pm.collectionVariables.get("mastorLibrary"))({{ id | js }});
mastor.before({% if writes %}true{% else %}false{% endif %}, {% if fresh_state %}true{% else %}false{% endif %}{% if user is not none %}, user.as{% endif %});
{% else %}
user.as();
{% endif %}
