// Prints keys of LMS and HSS of the seeds 0, 1, 2, … and a signature of each, for convert_lms.py:
//
//   javac -cp bcprov-jdk18on-1.86.jar Lms.java && java -cp bcprov-jdk18on-1.86.jar:. Lms SET…
import java.security.SecureRandom;
import org.bouncycastle.pqc.crypto.lms.*;
import org.bouncycastle.util.encoders.Hex;

public class Lms {
    /** Bytes 0, 1, 2, … */
    static class Counting extends SecureRandom {
        private byte next = 0;
        public void nextBytes(byte[] bytes) { for (int i = 0; i < bytes.length; i++) bytes[i] = next++; }
    }
    static LMSigParameters lms(String hash, int n) {
        if (hash.equals("SHA256")) return n == 32 ? LMSigParameters.lms_sha256_n32_h5 : LMSigParameters.lms_sha256_n24_h5;
        return n == 32 ? LMSigParameters.lms_shake256_n32_h5 : LMSigParameters.lms_shake256_n24_h5;
    }
    static LMOtsParameters ots(String hash, int n, int w) {
        int family = (hash.equals("SHA256") ? 0 : 2) + (n == 32 ? 0 : 1);
        int log = w == 1 ? 0 : w == 2 ? 1 : w == 4 ? 2 : 3;
        return LMOtsParameters.getParametersForType(1 + 4 * family + log);
    }
    public static void main(String[] args) throws Exception {
        for (String name : args) {
            String[] parts = name.split("/");
            LMSParameters[] parameters = new LMSParameters[parts.length];
            for (int i = 0; i < parts.length; i++) {
                String[] words = parts[i].split("_");
                int n = Integer.parseInt(words[2].substring(1)), w = Integer.parseInt(words[4].substring(1));
                parameters[i] = new LMSParameters(lms(words[1], n), ots(words[1], n, w));
            }
            HSSKeyPairGenerator generator = new HSSKeyPairGenerator();
            generator.init(new HSSKeyGenerationParameters(parameters, new Counting()));
            var pair = generator.generateKeyPair();
            HSSPublicKeyParameters pub = (HSSPublicKeyParameters) pair.getPublic();
            HSSSigner signer = new HSSSigner();
            signer.init(true, pair.getPrivate());
            byte[] signature = null;
            // Of several levels, past the end of the first lower tree.
            int index = parts.length == 1 ? 0 : 33;
            for (int i = 0; i <= index; i++) signature = signer.generateSignature("BouncyCastle".getBytes());
            System.out.println(name + " " + index + " " + Hex.toHexString(pub.getEncoded()) + " " + Hex.toHexString(signature));
        }
    }
}
