package mastor;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.mock.web.MockServletContext;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;

/** Answers requests by the project's own handlers and what stands behind them, with stubs for all that is outside. */
public final class Slices {
    private Slices() {}

    /** Arguments: the port, then what configures the service: classes, or packages that end in `.*`. */
    public static void main(String[] arguments) throws Exception {
        List<Class<?>> classes = new ArrayList<>();
        List<String> packages = new ArrayList<>();
        for (int i = 1; i < arguments.length; i++) {
            if (arguments[i].endsWith(".*")) {
                packages.add(arguments[i].substring(0, arguments[i].length() - 2));
            } else {
                classes.add(Class.forName(arguments[i], false, Slices.class.getClassLoader()));
            }
        }
        packages.forEach(Project::start);
        classes.forEach(type -> Project.start(ClassUtils.getPackageName(type)));
        ConfigurableEnvironment environment = Settings.read();
        classes.add(Parts.class);
        serve(Integer.parseInt(arguments[0]), context(environment, classes, packages));
    }

    private static Context context(ConfigurableEnvironment environment, List<Class<?>> classes, List<String> packages) {
        Context context = new Context();
        context.setServletContext(new MockServletContext());
        context.setEnvironment(environment);
        context.register(classes.toArray(new Class<?>[0]));
        if (!packages.isEmpty()) {
            context.scan(packages.toArray(new String[0]));
        }
        context.addBeanFactoryPostProcessor(new Wiring());
        context.refresh();
        return context;
    }

    private static void serve(int port, Context context) throws Exception {
        String prefix = context.getEnvironment()
                .getProperty("server.servlet.context-path", context.getEnvironment().getProperty("server.context-path", ""))
                .replaceAll("/+$", "");
        MockMvc mvc = MockMvcBuilders.webAppContextSetup(context).build();
        Handlers handlers = new Handlers(context, prefix);
        prepare(context, handlers.methods());
        Client client = new Client(mvc, prefix, context, State.now(context.getBeanFactory()));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", client::answer);
        server.createContext("/mastor/requests", exchange ->
                Client.send(exchange, 200, handlers.requests(context).getBytes(StandardCharsets.UTF_8)));
        server.createContext("/mastor/asked", exchange ->
                Client.send(exchange, 200, Asked.text().getBytes(StandardCharsets.UTF_8)));
        server.createContext("/mastor/recorded", exchange ->
                Client.send(exchange, 200, client.recorded().getBytes(StandardCharsets.UTF_8)));
        server.createContext("/mastor/kit", exchange ->
                Client.send(exchange, 200, (Parts.kit() + "prefix " + prefix + "\n").getBytes(StandardCharsets.UTF_8)));
        server.start();
        System.out.println("mastor: slices are ready");
    }

    /** Makes the project's beans, as its start would, and reads off them who is to be let in. */
    private static void prepare(Context context, List<HandlerMethod> handlers) {
        Set<Class<?>> types = new LinkedHashSet<>();
        for (String name : context.getBeanDefinitionNames()) {
            try {
                Class<?> type = context.getType(name);
                if (type != null && Project.owns(ClassUtils.getUserClass(type))) {
                    types.add(type);
                    context.getBean(name);
                }
            } catch (RuntimeException | LinkageError failure) {
                System.out.println("mastor: bean " + name + " is not made: " + Factory.reason(failure));
            }
        }
        Caller.learn(types, handlers);
    }
}
