/** What the page is about, for the bar at the top of a small screen. */
export const heading = $state({ text: '' });
