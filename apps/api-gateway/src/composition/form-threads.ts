/** The module that the threads of a `FormReaderPool` run, with every form of the public gateway. */
export const FORM_THREAD = new URL('./request-form.worker.js', import.meta.url);
