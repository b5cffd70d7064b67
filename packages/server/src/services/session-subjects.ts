/** Names of the subjects of liveness sessions, whose digests are stored. By its kind no program names one of the server's own. */
export const sessionSubjects = {
  /** That a program gives. */
  given: (subject: string): readonly string[] => ['subject', subject],
  /** A user of a gallery, whom the session verifies. */
  user: (galleryId: string, userId: string): readonly string[] => ['user', galleryId, userId],
  /** A person whom the session enrols. */
  enrolment: (userId: string): readonly string[] => ['enrolment', userId],
  /** Whoever opens a link that names nobody. */
  link: (sessionId: string): readonly string[] => ['link', sessionId],
};
