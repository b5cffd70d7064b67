/** Of which names are made that cameras, screens and messengers give to pictures, in English and Indonesian. */
const deviceWords = new Set(
  'img imag image images dsc dscn dscf cimg pxl mvimg gopr dji pano photo photos pic picture pictures selfie camera webcam screen screenshot snapshot whatsapp telegram snapchat instagram messenger received unnamed scan foto gambar swafoto kamera tangkapan pindaian'.split(
    ' ',
  ),
);
/** What stands beside such a word, and is no name by itself there. */
const furtherWords = new Set(
  'at pukul jam am pm wa fb e n o mp shot layar roll portrait burst cover hdr night edited edit copy cropped android iphone dan and'.split(
    ' ',
  ),
);

/** A day and a time, as in `20261120_081102` and `2026-11-20 08.11.02`; ids of digits alone are none. */
const moment = /^(19|20)\d\d([-._]?)(0\d|1[0-2])\2([0-2]\d|3[01])[\s_-]+\d\d([-._:]?\d\d){1,2}\d*$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Whether a file has the name that a camera, a screen or a messenger gave it: it says nothing of who is on the picture.
 * @param name without the ending
 * @example isDeviceName('WhatsApp Image 2026-11-20 at 08.11.02'); // true
 */
export function isDeviceName(name: string): boolean {
  const words = name.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isMade = words.some((word) => deviceWords.has(word));
  const isOnly = words.every((word) => deviceWords.has(word) || furtherWords.has(word));
  return (isMade && isOnly) || moment.test(name) || uuid.test(name);
}
