import { rawPdf } from "./pdf.ts";

/** 640 × 112 pixels of one bit each, compressed: "The scanned valve opens at 9 bar." and "It closes again at 7 bar." */
const BITS = Buffer.from(
  [
    "eNrt2L9u20YcB3CyBMzFKJHNXXJjxwro0iHI700CA30Bd1MAV5cgQLUEuDeoHsUKmPaGFuAjhOqh5WheOfSIXu5b/0j6T2wp",
    "oR0NHfhbBFC6j+7/3Y/AFFNMMcUUUzw0HG17+qb/KOVHSobsziMfRY+3enb4M/kxTI332uH77Z4FXA4Ud71APz/MM3bPntuv",
    "p/02D4HCQz25w/tO8liVcOSoniNZYgP3HC596cjPs8QTsEGa4g3SDClPonXWexmSkKW3vJlwBjgUJs2X9TF9EeOQyq8QhMmX",
    "/pT0Zgm8prcxDuVB4mfAT2LT1+/3xM/C4W3vG2EtQELpwoRn4g8bSOgNQFVh/ILOtUEgsakDiV+M88BKDe3NrffyN33LE8o4",
    "BLlaVUXDBV2QXQlxXjR+QUXRIEh1IclVbtsAnBWDp937IHV1ezxU5dkT/+DCW3FB1XtovKR3ysJLZfypVLrzoDuPoB0C6Tvj",
    "W2gvA0EANshrb1XAeilWnacrP4fSrcPgGSd7r9juCZ43vedQiBZQ73pPtHC48uTg2Vqi4Hps8daRRBwIZdx7UcpesSpjL9VZ",
    "FA1elOnWZ8A65fV7wN4i2lo/AOsFQQ/1k2BPn2l74VGGwZPQLWIg4/ohsDdf7PLcY4K6bO/gKetlIcWlB/ZKQHSe77ywy8Md",
    "ryL2fr3lORno2vtht6fEpecleHyN7D2Fy/Flz195gHZ2q1cFGaBEc+UV7P3deX9AtZfzr9Dtv2Hwzt1uz/h+fQxe6L0a7JUo",
    "2qv10XncfxUq7mHn2Fvd9iyXEErrTe/RitdvDb3x0kI3vH7/5PWr29ZLiCV7DZBb56nAzWOJ5/HSfY9wSCYrH3nKcidfU3nE",
    "g1A+ctLCdvvLX7zt6NqdAC8Sp7DRwOvER2L5gVen7suY9781738nJ4dJVIoSbk5o4U6OhYUXvDtWS5SI15QA5doLOIGQZTg4",
    "iD9o7+io9nzsT97nRb5nL5puolNMMcUU/5cc+OaxL8du47K/xexKuPjLKNmVd23xul9u8dzwqTovjPXMCE+aPXi44TV79qq9",
    "enw3GO/VCfAqkKOQYcmvSRxhmdZUuicEJIEnQIEwl07UcxpRP0KYLchk9Rs/wxEhz0Is8sy5mYCfdZfPAuFYbDg5HtVex1mp",
    "bqzzC0koKn8qLlI6fK3gPWcLWCEIVZnwbJzXhgUpU7VtOGXPuCDeVR6iwPtw6ZE+bwKN8ywWJJqqteGJPAMaC3HxHELzQF15",
    "sIEw0gskrAF72ObR4MlxXvd+wG5g8FSge/PTeXTTk+a+Xi3KSHA2kFiIMum8ELEXJHt1fD/PpxvghYTm9i77+rnFtZffs354",
    "aYCaoNhTg9e11zNp9H09azj96j3Re/aGp0Z7/fjCcVa7yyN9H+8piebcWTzZ6rX38p5fr4/e4/Vxo/9o8Lj//Ke98HxYv5V1",
    "3XrTxv8oVN57nr2G+1Vxcuw+WcM8fHuxvwRhsjIPM38ksX4UYrGO3UJo+Ei8lez5Y1FGnj7tRXIJvHKpI5/hFV4C9Ylcivr4",
    "+CiNgYO07FKtei7dbJb5B57HYs/nO+1Va/fthf16bvTtYqQ32/NwJNONc4oppvi8+A+he6Sm",
  ].join(""),
  "base64",
);
export const SCAN_SIZE = { width: 640, height: 112 };
export const SCANNED_TEXT = "The scanned valve opens at 9 bar. It closes again at 7 bar.";

const stream = (dictionary: string, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`),
    data,
    Buffer.from("\nendstream"),
  ]);

export interface ScannedPage {
  /** Degrees by which a viewer turns the page. */
  rotate?: number;
  /** Claims other dimensions than the data has. */
  size?: { width: number; height: number };
  /** The page has neither a picture nor text. */
  blank?: boolean;
}

/** A PDF of pages that are pictures. */
export function scannedPdf(pages: readonly ScannedPage[]): Buffer {
  const objects: (string | Buffer)[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${3 + i * 3} 0 R`).join(" ")}] /Count ${pages.length} >>`,
  ];
  for (const [i, { rotate = 0, size = SCAN_SIZE, blank = false }] of pages.entries()) {
    const [content, image] = [4 + i * 3, 5 + i * 3];
    // A page that is turned for reading was scanned lying on its side.
    const isTurned = rotate % 180 !== 0;
    const drawn = isTurned ? "0 640 -112 0 112 0 cm" : "640 0 0 112 0 0 cm";
    objects.push(
      `<< /Type /Page /Parent 2 0 R /Rotate ${rotate} /MediaBox [0 0 ${isTurned ? "112 640" : "640 112"}] /Contents ${content} 0 R /Resources << /XObject << /Im ${image} 0 R >> >> >>`,
      stream("", Buffer.from(blank ? "" : `q ${drawn} /Im Do Q`)),
      stream(
        `/Type /XObject /Subtype /Image /Width ${size.width} /Height ${size.height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode`,
        BITS,
      ),
    );
  }
  return rawPdf(objects);
}
