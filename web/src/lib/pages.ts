/** The parts of the page that are loaded when they are first shown. The build links to them from their addresses. */

export const lobby = () => import('../lobby/Lobby.svelte');
export const newTable = () => import('../lobby/NewTable.svelte');
export const tablePage = () => import('../table/TablePage.svelte');
export const analysisPage = () => import('../analysis/AnalysisPage.svelte');
export const placePage = () => import('../placing/PlacePage.svelte');
export const rulesPage = () => import('../rules/RulesPage.svelte');
export const aboutPage = () => import('../rules/AboutPage.svelte');
export const lessonPage = () => import('../lesson/LessonPage.svelte');
export const todayPage = () => import('../lesson/TodayPage.svelte');
export const problemsPage = () => import('../lesson/ProblemsPage.svelte');
export const drillPage = () => import('../drill/DrillPage.svelte');
export const libraryPage = () => import('../library/Library.svelte');
export const keyboardHelp = () => import('../KeyboardHelp.svelte');
export const labPage = () => import('../lab/LabPage.svelte');
export const markdown = () => import('../rules/Markdown.svelte');

/** Loads them all, so that what is clicked on is there. */
export function loadAll(): void {
  // A part that does not come now is asked for again when it is shown.
  const parts = [
    lobby,
    newTable,
    tablePage,
    analysisPage,
    placePage,
    rulesPage,
    aboutPage,
    lessonPage,
    todayPage,
    problemsPage,
    drillPage,
    libraryPage,
    labPage,
    markdown,
    keyboardHelp,
  ];
  for (const load of parts) load().catch(() => undefined);
}
