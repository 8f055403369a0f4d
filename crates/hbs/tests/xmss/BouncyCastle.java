import java.security.SecureRandom;
import java.util.Scanner;
import org.bouncycastle.crypto.AsymmetricCipherKeyPair;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.pqc.crypto.StateAwareMessageSigner;
import org.bouncycastle.pqc.crypto.xmss.XMSSKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSKeyPairGenerator;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTKeyGenerationParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTKeyPairGenerator;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTPublicKeyParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSMTSigner;
import org.bouncycastle.pqc.crypto.xmss.XMSSParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSPrivateKeyParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSPublicKeyParameters;
import org.bouncycastle.pqc.crypto.xmss.XMSSSigner;
import org.bouncycastle.util.encoders.Hex;

/**
 * BouncyCastle signs and verifies, over SHA-256 with n = 32: {@code sign HEIGHT LAYERS MESSAGE...} prints a new key's seeds, its public key
 * and a signature a line; {@code verify HEIGHT LAYERS} reads lines of public key, message (text) and signature, and prints whether
 * each is valid. 1 layer is XMSS. All bytes in hexadecimal.
 */
class BouncyCastle {
    private static XMSSParameters one;
    private static XMSSMTParameters many;

    public static void main(String[] arguments) throws Exception {
        int height = Integer.parseInt(arguments[1]);
        int layers = Integer.parseInt(arguments[2]);
        if (layers == 1) {
            one = new XMSSParameters(height, new SHA256Digest());
        } else {
            many = new XMSSMTParameters(height, layers, new SHA256Digest());
        }
        if (arguments[0].equals("sign")) {
            sign(arguments);
        } else {
            verify();
        }
    }

    private static void sign(String[] arguments) throws Exception {
        StateAwareMessageSigner signer;
        if (one != null) {
            XMSSKeyPairGenerator generator = new XMSSKeyPairGenerator();
            generator.init(new XMSSKeyGenerationParameters(one, new SecureRandom()));
            AsymmetricCipherKeyPair pair = generator.generateKeyPair();
            XMSSPrivateKeyParameters key = (XMSSPrivateKeyParameters) pair.getPrivate();
            print(key.getSecretKeySeed(), key.getSecretKeyPRF(), key.getPublicSeed());
            print(((XMSSPublicKeyParameters) pair.getPublic()).getEncoded());
            signer = new XMSSSigner();
            signer.init(true, key);
        } else {
            XMSSMTKeyPairGenerator generator = new XMSSMTKeyPairGenerator();
            generator.init(new XMSSMTKeyGenerationParameters(many, new SecureRandom()));
            AsymmetricCipherKeyPair pair = generator.generateKeyPair();
            XMSSMTPrivateKeyParameters key = (XMSSMTPrivateKeyParameters) pair.getPrivate();
            print(key.getSecretKeySeed(), key.getSecretKeyPRF(), key.getPublicSeed());
            print(((XMSSMTPublicKeyParameters) pair.getPublic()).getEncoded());
            signer = new XMSSMTSigner();
            signer.init(true, key);
        }
        for (int i = 3; i < arguments.length; i++) {
            print(signer.generateSignature(arguments[i].getBytes("UTF-8")));
        }
    }

    private static void verify() throws Exception {
        Scanner lines = new Scanner(System.in);
        while (lines.hasNext()) {
            byte[] key = Hex.decode(lines.next());
            byte[] message = lines.next().getBytes("UTF-8");
            byte[] signature = Hex.decode(lines.next());
            StateAwareMessageSigner verifier;
            if (one != null) {
                verifier = new XMSSSigner();
                verifier.init(false, new XMSSPublicKeyParameters.Builder(one).withPublicKey(key).build());
            } else {
                verifier = new XMSSMTSigner();
                verifier.init(false, new XMSSMTPublicKeyParameters.Builder(many).withPublicKey(key).build());
            }
            System.out.println(verifier.verifySignature(message, signature));
        }
    }

    private static void print(byte[]... parts) {
        StringBuilder line = new StringBuilder();
        for (byte[] part : parts) {
            line.append(Hex.toHexString(part));
        }
        System.out.println(line);
    }
}
