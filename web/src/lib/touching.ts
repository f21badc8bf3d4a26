/** For so long after the touch that chose an action, in milliseconds, another may be the second of a double click. */
export const DOUBLE_CLICK = 400;
