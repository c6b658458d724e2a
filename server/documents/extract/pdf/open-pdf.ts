/** An open file of the PDF library. */
export type Pdf = Awaited<ReturnType<(typeof import("unpdf"))["getDocumentProxy"]>>;
