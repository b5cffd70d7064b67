/** Pictures that a person may be enrolled with: the server's limit. */
export const mostPictures = 50;
