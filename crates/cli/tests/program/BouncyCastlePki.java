import java.io.FileReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Security;
import org.bouncycastle.asn1.ASN1Encoding;
import org.bouncycastle.asn1.nist.NISTObjectIdentifiers;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cms.CMSProcessableByteArray;
import org.bouncycastle.cms.CMSSignedData;
import org.bouncycastle.cms.CMSSignedDataGenerator;
import org.bouncycastle.cms.SignerInformation;
import org.bouncycastle.cms.jcajce.JcaSignerInfoGeneratorBuilder;
import org.bouncycastle.cms.jcajce.JcaSimpleSignerInfoVerifierBuilder;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.operator.ContentSigner;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.operator.jcajce.JcaContentVerifierProviderBuilder;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;
import org.bouncycastle.pkcs.PKCS10CertificationRequest;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.LMSKeyGenParameterSpec;
import org.bouncycastle.pqc.crypto.lms.LMOtsParameters;
import org.bouncycastle.pqc.crypto.lms.LMSigParameters;

/**
 * Verifies {@code key.crt}, {@code key.csr}, the detached message {@code a.p7s} and the message {@code a.p7m}, and prints the results; then
 * signs {@code a} with a key of its own: {@code theirs.p7s}, {@code theirs-direct.p7s} (without signed attributes), {@code theirs.pub}. The argument is the parameter set.
 */
class BouncyCastlePki {
    private static final String LMS = "BCPQC";

    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastleProvider());
        Security.addProvider(new BouncyCastlePQCProvider());
        boolean isLms = arguments[0].startsWith("LMS");
        String provider = isLms ? LMS : "BC";
        X509CertificateHolder certificate = (X509CertificateHolder) read("key.crt");
        PublicKey key = new JcaPEMKeyConverter().setProvider(provider).getPublicKey(certificate.getSubjectPublicKeyInfo());
        JcaContentVerifierProviderBuilder verifier = new JcaContentVerifierProviderBuilder().setProvider(provider);
        System.out.println("certificate: " + certificate.isSignatureValid(verifier.build(key)));
        PKCS10CertificationRequest request = (PKCS10CertificationRequest) read("key.csr");
        System.out.println("request: " + request.isSignatureValid(verifier.build(key)));

        byte[] content = Files.readAllBytes(Path.of("a"));
        byte[] message = Files.readAllBytes(Path.of("a.p7s"));
        System.out.println("detached: " + isValid(new CMSSignedData(new CMSProcessableByteArray(content), message), key));
        message[message.length - 1] ^= 1;
        System.out.println("changed: " + isValid(new CMSSignedData(new CMSProcessableByteArray(content), message), key));
        CMSSignedData attached = new CMSSignedData(Files.readAllBytes(Path.of("a.p7m")));
        System.out.println("attached: " + isValid(attached, key));

        KeyPairGenerator generator;
        String algorithm;
        if (isLms) {
            generator = KeyPairGenerator.getInstance("LMS", LMS);
            generator.initialize(new LMSKeyGenParameterSpec(LMSigParameters.lms_sha256_n32_h5, LMOtsParameters.sha256_n32_w4), new SecureRandom());
            algorithm = "LMS";
        } else {
            algorithm = arguments[0].toUpperCase();
            generator = KeyPairGenerator.getInstance(algorithm, "BC");
        }
        KeyPair pair = generator.generateKeyPair();
        Files.write(Path.of("theirs.pub"), pair.getPublic().getEncoded());
        for (boolean isDirect : new boolean[] {false, true}) {
            ContentSigner signer = new JcaContentSignerBuilder(algorithm).setProvider(provider).build(pair.getPrivate());
            JcaSignerInfoGeneratorBuilder info = new JcaSignerInfoGeneratorBuilder(new JcaDigestCalculatorProviderBuilder().build());
            info.setDirectSignature(isDirect);
            if (isLms) {
                info.setContentDigest(new AlgorithmIdentifier(NISTObjectIdentifiers.id_sha256));
            }
            CMSSignedDataGenerator signed = new CMSSignedDataGenerator();
            signed.addSignerInfoGenerator(info.build(signer, new byte[] {1, 2, 3}));
            CMSSignedData theirs = signed.generate(new CMSProcessableByteArray(content), false);
            Files.write(Path.of(isDirect ? "theirs-direct.p7s" : "theirs.p7s"), theirs.toASN1Structure().getEncoded(ASN1Encoding.DER));
        }
    }

    private static boolean isValid(CMSSignedData message, PublicKey key) throws Exception {
        SignerInformation signer = message.getSignerInfos().getSigners().iterator().next();
        try {
            return signer.verify(new JcaSimpleSignerInfoVerifierBuilder().build(key));
        } catch (org.bouncycastle.cms.CMSException error) {
            System.err.println(error);
            return false;
        }
    }

    private static Object read(String path) throws Exception {
        try (PEMParser parser = new PEMParser(new FileReader(path))) {
            return parser.readObject();
        }
    }
}
