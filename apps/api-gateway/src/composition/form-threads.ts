/** What the threads of a `FormReaderPool` run: every form of this service. */
export const FORM_THREAD = new URL('./request-form.worker.js', import.meta.url);
