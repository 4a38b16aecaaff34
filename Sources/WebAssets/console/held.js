/** A page that waits for a token: its dialogs are put aside, since what they cover cannot be used; the rest is hidden. */
export class Held {
  #focus = document.activeElement;
  #title = document.title;
  #scrolled = scrollY;
  #dialogs = [...document.querySelectorAll("dialog[open]")];

  constructor() {
    // Closing them would end what they are for.
    for (const dialog of this.#dialogs) dialog.remove();
  }

  /** Shows the page as it was, with the focus and the place in it where they were. */
  release() {
    for (const dialog of this.#dialogs) {
      document.body.append(dialog);
      dialog.open = false;
      dialog.showModal();
    }
    document.title = this.#title;
    this.#focus?.focus({ preventScroll: true });
    scrollTo(0, this.#scrolled);
  }
}
