package mastor;

import java.util.ArrayList;
import java.util.List;
import org.springframework.context.annotation.DeferredImportSelector;
import org.springframework.context.annotation.Import;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

/** What the framework adds to the project's own configuration. */
@Import(Parts.Selector.class)
class Parts {
    private static final String BOOT = "org.springframework.boot.";
    private static final String SECURITY = "org.springframework.security.config.annotation.";
    /** What Spring Boot configures for a web slice, in the names of its versions 1.5 to 4, and what security adds to handlers. */
    private static final String[] PARTS = {
        BOOT + "autoconfigure.context.ConfigurationPropertiesAutoConfiguration",
        BOOT + "autoconfigure.context.MessageSourceAutoConfiguration",
        BOOT + "autoconfigure.aop.AopAutoConfiguration",
        BOOT + "aop.autoconfigure.AopAutoConfiguration",
        BOOT + "autoconfigure.jackson.JacksonAutoConfiguration",
        BOOT + "jackson.autoconfigure.JacksonAutoConfiguration",
        BOOT + "jackson2.autoconfigure.Jackson2AutoConfiguration",
        BOOT + "autoconfigure.gson.GsonAutoConfiguration",
        BOOT + "gson.autoconfigure.GsonAutoConfiguration",
        BOOT + "autoconfigure.http.HttpMessageConvertersAutoConfiguration",
        BOOT + "autoconfigure.web.HttpMessageConvertersAutoConfiguration",
        BOOT + "http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration",
        BOOT + "autoconfigure.validation.ValidationAutoConfiguration",
        BOOT + "validation.autoconfigure.ValidationAutoConfiguration",
        BOOT + "autoconfigure.data.web.SpringDataWebAutoConfiguration",
        BOOT + "data.autoconfigure.web.DataWebAutoConfiguration",
        BOOT + "autoconfigure.hateoas.HypermediaAutoConfiguration",
        BOOT + "hateoas.autoconfigure.HypermediaAutoConfiguration",
        BOOT + "autoconfigure.web.servlet.WebMvcAutoConfiguration",
        BOOT + "autoconfigure.web.WebMvcAutoConfiguration",
        BOOT + "webmvc.autoconfigure.WebMvcAutoConfiguration",
        SECURITY + "web.configuration.WebSecurityConfiguration",
        SECURITY + "web.configuration.HttpSecurityConfiguration",
        SECURITY + "web.configuration.WebMvcSecurityConfiguration",
        SECURITY + "configuration.ObjectPostProcessorConfiguration",
        SECURITY + "authentication.configuration.AuthenticationConfiguration",
    };

    /** What of the kits for tests is there, in the names that a test imports: a line each. */
    static String kit() {
        StringBuilder out = new StringBuilder();
        for (String name : new String[] {
            "org.junit.jupiter.api.Test", "org.junit.Test", "org.mockito.Mockito", "com.jayway.jsonpath.JsonPath",
            "org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest",
            "org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest",
            "org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc",
            "org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc",
            "org.springframework.test.context.bean.override.mockito.MockitoBean",
            "org.springframework.boot.test.mock.mockito.MockBean",
            "org.springframework.test.context.junit.jupiter.web.SpringJUnitWebConfig",
            "org.springframework.security.core.context.SecurityContextHolder",
        }) {
            out.append(Project.find(name) == null ? "" : name + "\n");
        }
        return out.toString();
    }

    /** Names the parts that are there, to be looked at after the project's own configuration. */
    static final class Selector implements DeferredImportSelector {
        @Override
        public String[] selectImports(AnnotationMetadata importing) {
            List<String> names = new ArrayList<>();
            boolean web = false;
            for (String part : PARTS) {
                if (Parts.class.getClassLoader().getResource(part.replace('.', '/') + ".class") != null) {
                    names.add(part);
                    web |= part.endsWith("WebMvcAutoConfiguration");
                }
            }
            if (!web) {
                names.add(Web.class.getName());
            }
            return names.toArray(new String[0]);
        }
    }
}

/** Spring MVC as it is without Spring Boot; not within the other class, all of whose classes Spring 4 and 5.0 take for configuration too. */
@EnableWebMvc
class Web {}
