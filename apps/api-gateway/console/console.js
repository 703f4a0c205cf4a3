// The console's one script: signs in and out, and has the reviewer's wallet sign a decision (EIP-1193, EIP-6963).
'use strict';

const byId = (id) => document.getElementById(id);
const json = { 'content-type': 'application/json' };

/** What a page says beside the button that was pressed. */
function tell(text, isGood = false) {
  const told = byId('told');
  if (told === null) return;
  told.textContent = text;
  told.classList.toggle('good', isGood);
}

/** An answer's value. Throws what the service says went wrong. */
async function answerOf(response) {
  const text = await response.text();
  const body = text === '' ? null : JSON.parse(text);
  if (response.ok) return body;
  throw new Error(body === null ? `HTTP ${response.status}` : `${body.error.code}: ${body.error.message}`);
}

const saying = (work) => async (event) => {
  event.preventDefault();
  const button = event.currentTarget.querySelector('button[type=submit]');
  if (button !== null) button.disabled = true;
  try {
    await work(event);
  } catch (error) {
    tell(error instanceof Error || typeof error?.message === 'string' ? error.message : String(error));
  } finally {
    if (button !== null) button.disabled = false;
  }
};

byId('sign-in')?.addEventListener(
  'submit',
  saying(async () => {
    const key = byId('key').value.trim();
    await answerOf(await fetch('/session', { method: 'POST', headers: json, body: JSON.stringify({ key }) }));
    location.assign('/');
  }),
);

byId('sign-out')?.addEventListener('click', async () => {
  await fetch('/session/end', { method: 'POST' });
  location.assign('/sign-in');
});

/** Wallets of this browser by their names: those that announce themselves, and the one that older ones leave behind. */
const wallets = new Map();
function listWallets() {
  const select = byId('wallet');
  if (select === null) return;
  select.replaceChildren(...[...wallets.keys()].map((name) => new Option(name, name)));
}
if (byId('decide') !== null) {
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    if (typeof detail?.info?.name !== 'string' || typeof detail.provider?.request !== 'function') return;
    wallets.set(detail.info.name.slice(0, 64), detail.provider);
    listWallets();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  if (typeof window.ethereum?.request === 'function' && wallets.size === 0)
    wallets.set('This browser', window.ethereum);
  listWallets();
}

byId('decide')?.addEventListener(
  'submit',
  saying(async (event) => {
    const form = event.currentTarget;
    const { submission, revision } = form.dataset;
    const given = new FormData(form);
    const wallet = wallets.get(given.get('wallet'));
    if (wallet === undefined) throw new Error('There is no wallet in this browser.');
    tell('The wallet is asked…');
    const [account] = await wallet.request({ method: 'eth_requestAccounts' });
    const base = `/v1/reviewer/submissions/${submission}`;
    const headers = { ...json, 'if-match': revision };
    const draft = await answerOf(
      await fetch(`${base}/decision-draft`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          outcome: given.get('outcome'),
          reason: given.get('reason'),
          reviewerWallet: account.toLowerCase(),
        }),
      }),
    );
    const signature = await wallet.request({
      method: 'eth_signTypedData_v4',
      params: [account, JSON.stringify(draft.typedData)],
    });
    const body = JSON.stringify({ ...draft.decision, signature: signature.toLowerCase() });
    const { state } = await answerOf(await fetch(`${base}/decisions`, { method: 'POST', headers, body }));
    tell(`The review is ${state.replaceAll('_', ' ')}.`, true);
    form.querySelectorAll('input, textarea, select').forEach((field) => (field.disabled = true));
    form.querySelector('button[type=submit]').hidden = true;
  }),
);
