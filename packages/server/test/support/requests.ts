/** The flags of an enrolment, all off. */
export const enrolDefaults = {
  forceRegister: false,
  replace: false,
  append: false,
  checkQuality: false,
  checkDuplicate: false,
};

export async function base64(picture: Promise<Buffer>): Promise<string> {
  return (await picture).toString('base64');
}
