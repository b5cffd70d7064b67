/** Name of the stored value that holds the calibration of the whole server. */
export const calibrationKey = 'calibration';
