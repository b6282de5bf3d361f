eval(pm.collectionVariables.get("mastorUsers"))({{ user | js }}).{{ when | ident }}();
