/** Whether the list of keys is asked for. */
export const help = $state({ open: false });
