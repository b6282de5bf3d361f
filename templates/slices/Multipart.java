package mastor;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockMultipartFile;
import org.springframework.mock.web.MockMultipartHttpServletRequest;

/** Reads a form of several parts (RFC 7578), as mastor writes it, and makes Spring's request of it; the builders for that are others in each version. */
final class Multipart {
    private static final Pattern BOUNDARY = Pattern.compile("boundary=\"?([^\";]+)\"?");
    private static final Pattern NAME = Pattern.compile("[; ]name=\"([^\"]*)\"");
    private static final Pattern FILE = Pattern.compile("filename=\"([^\"]*)\"");
    private static final Pattern MEDIA = Pattern.compile("(?i)Content-Type: ([^\\r\\n]*)");

    private Multipart() {}

    static boolean is(String media) {
        return media != null && media.startsWith("multipart/");
    }

    /** The request with the parts of its body. */
    static MockHttpServletRequest of(MockHttpServletRequest plain, String media, byte[] body) {
        MockMultipartHttpServletRequest request = new MockMultipartHttpServletRequest(plain.getServletContext());
        request.setMethod(plain.getMethod());
        request.setContentType(media);
        request.setRequestURI(plain.getRequestURI());
        request.setContextPath(plain.getContextPath());
        request.setServletPath(plain.getServletPath());
        request.setPathInfo(plain.getPathInfo());
        request.setQueryString(plain.getQueryString());
        request.setParameters(plain.getParameterMap());
        request.setUserPrincipal(plain.getUserPrincipal());
        for (String name : Collections.list(plain.getHeaderNames())) {
            List<String> values = Collections.list(plain.getHeaders(name));
            if (!name.equalsIgnoreCase("Content-Type")) {
                values.forEach(value -> request.addHeader(name, value));
            }
        }
        Collections.list(plain.getAttributeNames()).forEach(name -> request.setAttribute(name, plain.getAttribute(name)));
        Matcher boundary = BOUNDARY.matcher(media);
        String text = new String(body, StandardCharsets.UTF_8);
        for (String part : boundary.find() ? text.split("--" + Pattern.quote(boundary.group(1))) : new String[0]) {
            int end = part.indexOf("\r\n\r\n");
            Matcher name = NAME.matcher(end < 0 ? "" : part.substring(0, end));
            if (name.find()) {
                add(request, name.group(1), part.substring(0, end), part.substring(end + 4).replaceFirst("\r\n$", ""));
            }
        }
        return request;
    }

    private static void add(MockMultipartHttpServletRequest request, String name, String head, String content) {
        Matcher file = FILE.matcher(head);
        Matcher type = MEDIA.matcher(head);
        boolean isFile = file.find();
        boolean isTyped = type.find();
        if (isFile || isTyped) {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            request.addFile(new MockMultipartFile(name, isFile ? file.group(1) : "", isTyped ? type.group(1) : null, bytes));
        } else {
            request.addParameter(name, content);
        }
    }
}
