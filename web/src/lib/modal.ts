/** Dialogs that the browser's Back button closes: each is an entry of the history while it is open. */

let last = 0;

function shown(): number | undefined {
  return (history.state as { dialog?: number } | null)?.dialog;
}

/** Shows the dialog above the page, until it is closed or the person goes back. */
export function openModal(dialog: HTMLDialogElement | undefined): void {
  if (!dialog || dialog.open) return;
  last += 1;
  const id = last;
  history.pushState({ ...history.state, dialog: id }, '');
  dialog.showModal();
  // A dialog above this one takes itself away first.
  const goneBack = () => {
    if (shown() !== id) dialog.close();
  };
  addEventListener('popstate', goneBack);
  dialog.addEventListener(
    'close',
    () => {
      removeEventListener('popstate', goneBack);
      if (shown() === id) history.back();
    },
    { once: true },
  );
}
