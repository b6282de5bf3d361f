package mastor;

import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.mock.web.MockMultipartFile;
import org.springframework.test.web.servlet.request.MockHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMultipartHttpServletRequestBuilder;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.util.ReflectionUtils;

/** Reads a form of several parts (RFC 7578), as mastor writes it, and makes Spring's request of it. */
final class Multipart {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
    private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");
    private static final Pattern FILE = Pattern.compile("filename=\"([^\"]*)\"");
    private static final Pattern MEDIA = Pattern.compile("(?i)Content-Type: ([^\r\n]*)");

    private Multipart() {}

    static MockHttpServletRequestBuilder request(URI uri, String verb, String media, byte[] body) throws ReflectiveOperationException {
        // Spring 5 renamed it.
        Method known = ReflectionUtils.findMethod(MockMvcRequestBuilders.class, "multipart", URI.class);
        Method made = known == null ? ReflectionUtils.findMethod(MockMvcRequestBuilders.class, "fileUpload", URI.class) : known;
        MockMultipartHttpServletRequestBuilder request = (MockMultipartHttpServletRequestBuilder) made.invoke(null, uri);
        request.with(one -> {
            one.setMethod(verb);
            return one;
        });
        Matcher boundary = BOUNDARY.matcher(media);
        String text = new String(body, StandardCharsets.UTF_8);
        for (String part : boundary.find() ? text.split("--" + Pattern.quote(boundary.group(1))) : new String[0]) {
            int end = part.indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(end < 0 ? "" : part.substring(0, end));
            if (!name.find()) {
                continue;
            }
            String head = part.substring(0, end);
            String content = part.substring(end + 4).replaceFirst("\r\n$", "");
            Matcher file = FILE.matcher(head);
            Matcher type = MEDIA.matcher(head);
            boolean isFile = file.find();
            boolean isTyped = type.find();
            if (isFile || isTyped) {
                byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
                request.file(new MockMultipartFile(name.group(1), isFile ? file.group(1) : "", isTyped ? type.group(1) : null, bytes));
            } else {
                request.param(name.group(1), content);
            }
        }
        return request;
    }
}
