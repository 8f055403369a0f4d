import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Security;
import java.security.Signature;
import org.bouncycastle.pqc.jcajce.interfaces.StateAwareSignature;
import org.bouncycastle.pqc.jcajce.interfaces.XMSSMTPrivateKey;
import org.bouncycastle.pqc.jcajce.interfaces.XMSSPrivateKey;
import org.bouncycastle.pqc.jcajce.provider.BouncyCastlePQCProvider;
import org.bouncycastle.pqc.jcajce.spec.XMSSMTParameterSpec;
import org.bouncycastle.pqc.jcajce.spec.XMSSParameterSpec;
import org.bouncycastle.util.encoders.Hex;

/**
 * Makes secret keys as BouncyCastle stores them: {@code java -cp bcprov.jar ImportKeys.java HEIGHT LAYERS DIGEST SIGNATURES} signs
 * "message-0", "message-1", and so on, then prints the last signature, the public key and the secret key, and the same of a shard of
 * four signatures. 1 layer is XMSS.
 */
class ImportKeys {
    public static void main(String[] arguments) throws Exception {
        Security.addProvider(new BouncyCastlePQCProvider());
        int height = Integer.parseInt(arguments[0]);
        int layers = Integer.parseInt(arguments[1]);
        String digest = arguments[2];
        boolean isOne = layers == 1;
        KeyPairGenerator generator = KeyPairGenerator.getInstance(isOne ? "XMSS" : "XMSSMT", "BCPQC");
        generator.initialize(
            isOne ? new XMSSParameterSpec(height, digest) : new XMSSMTParameterSpec(height, layers, digest),
            new SecureRandom());
        KeyPair pair = generator.generateKeyPair();
        Signature signer = Signature.getInstance((isOne ? "XMSS-" : "XMSSMT-") + digest, "BCPQC");
        signer.initSign(pair.getPrivate());
        byte[] signature = null;
        for (int i = 0; i < Integer.parseInt(arguments[3]); i++) {
            signer.update(("message-" + i).getBytes("UTF-8"));
            signature = signer.sign();
        }
        PrivateKey key = ((StateAwareSignature) signer).getUpdatedPrivateKey();
        print("signature", signature);
        print("public", pair.getPublic().getEncoded());
        print("secret", key.getEncoded());
        PrivateKey shard =
            isOne ? ((XMSSPrivateKey) key).extractKeyShard(4) : ((XMSSMTPrivateKey) key).extractKeyShard(4);
        print("shard", shard.getEncoded());
    }

    private static void print(String name, byte[] bytes) {
        System.out.println(name + " " + Hex.toHexString(bytes));
    }
}
