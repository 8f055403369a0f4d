// Makes a secret key as Botan 3 stores it: `import_keys_botan3 sp800-208|legacy SIGNATURES` signs "message-0", "message-1", and so on,
// then prints the last signature, the public key and the secret key, in hexadecimal.
//
// With Botan 3 built in ".": g++ -std=c++20 -I build/include/public import_keys_botan3.cpp libbotan-3.a -pthread

#include <botan/hex.h>
#include <botan/pkcs8.h>
#include <botan/pubkey.h>
#include <botan/system_rng.h>
#include <botan/x509_key.h>
#include <botan/xmss.h>

#include <iostream>

int main(int, char** arguments) {
    const auto derivation = std::string(arguments[1]) == "legacy" ? Botan::WOTS_Derivation_Method::Botan2x
                                                                  : Botan::WOTS_Derivation_Method::NIST_SP800_208;
    Botan::System_RNG random;
    Botan::XMSS_PrivateKey key(Botan::XMSS_Parameters::XMSS_SHA2_10_256, random, derivation);
    Botan::PK_Signer signer(key, random, "");
    std::vector<uint8_t> signature;
    for (int i = 0; i < std::stoi(arguments[2]); i++) {
        signer.update("message-" + std::to_string(i));
        signature = signer.signature(random);
    }
    std::cout << "signature " << Botan::hex_encode(signature, false) << "\n";
    std::cout << "public " << Botan::hex_encode(Botan::X509::BER_encode(key), false) << "\n";
    std::cout << "secret " << Botan::hex_encode(Botan::PKCS8::BER_encode(key), false) << "\n";
}
