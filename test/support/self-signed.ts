/**
 * A self-signed certificate for `localhost`, valid until 2126, and its key, which is used nowhere else.
 * Created with `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=localhost
 * -addext subjectAltName=DNS:localhost`.
 */
export const SELF_SIGNED = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUTYvuf1TNhNkbCoW5W1G5S9m7i38wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTExNTA5MDg1OVoYDzIxMjYxMDIy
MDkwODU5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAAQThrMNh+hSerjlBmUdx5TCq9PRM6bHTOiJmmR3iCRwbWNhbSGIVm9M
jobMs+d40HDBvomdmlwmkh1NHJWhyhvLo2kwZzAdBgNVHQ4EFgQUShrzAJ9QT0SX
/M4k6wOY3aRtz2swHwYDVR0jBBgwFoAUShrzAJ9QT0SX/M4k6wOY3aRtz2swDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgSuxs8EGZP2+xUZiIQ3CtpTkD2n1Wqnj3gq1qpc/mtX8CIQDtmON0nCP/
WUlZBHqjDyReux1QFoOfkXLllc72SS2D2w==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgC713AtNQSEPkbJyM
QQ7tsXWYYbCGKG9Gozrtt4GgoJChRANCAAQThrMNh+hSerjlBmUdx5TCq9PRM6bH
TOiJmmR3iCRwbWNhbSGIVm9MjobMs+d40HDBvomdmlwmkh1NHJWhyhvL
-----END PRIVATE KEY-----
`,
};
