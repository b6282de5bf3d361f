import java.io.File;
import javax.xml.XMLConstants;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;

/** Says whether an XML file fits a schema: the schema first, then the file. */
class Validate {
    public static void main(String[] files) throws Exception {
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(new File(files[0]))
                .newValidator()
                .validate(new StreamSource(new File(files[1])));
    }
}
