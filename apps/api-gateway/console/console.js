// The console's one script: signs in and out, and has the reviewer's wallet sign a decision (EIP-1193, EIP-6963).
'use strict';

const byId = (id) => document.getElementById(id);
const json = { 'content-type': 'application/json' };

/** Shows a message beside the button that was pressed. */
function tell(text, isGood = false) {
  const notice = byId('notice');
  if (notice === null) return;
  notice.textContent = text;
  notice.classList.toggle('good', isGood);
}

/** Returns the value of an answer. Throws the error that the service reports. */
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

/**
 * Wallets of this browser by the `uuid` of their announcement (EIP-6963): names are not unique, since each extension
 * chooses its own. The first announcement of a `uuid` keeps it; no later one replaces it.
 */
const wallets = new Map();
const MAX_WALLETS = 32;
/** The `uuid` that the reviewer chose; a single wallet needs no choice. */
let chosenWallet = null;
/** The icons that a wallet may supply; the page loads no other images. */
const ICON = /^data:image\/(?:png|svg\+xml|webp|gif|jpeg)[;,]/;
const MAX_ICON_CHARACTERS = 256 * 1024;

const textOf = (value, most) => (typeof value === 'string' ? value.slice(0, most) : '');
const iconOf = (value) =>
  typeof value === 'string' && value.length <= MAX_ICON_CHARACTERS && ICON.test(value) ? value : null;

/** Builds one choice of the form: the wallet's icon, name and domain. */
function choiceOf(uuid, { name, rdns, icon }) {
  const choice = document.createElement('label');
  const input = document.createElement('input');
  const checked = uuid === chosenWallet || wallets.size === 1;
  Object.assign(input, { type: 'radio', name: 'wallet', value: uuid, required: true, checked });
  choice.append(input);
  if (icon !== null) choice.append(Object.assign(new Image(24, 24), { src: icon, alt: '' }));
  for (const [className, text] of [
    ['name', name],
    ['rdns', rdns],
  ])
    choice.append(Object.assign(document.createElement('span'), { className, textContent: text }));
  return choice;
}

function listWallets() {
  byId('wallets').replaceChildren(...[...wallets].map(([uuid, wallet]) => choiceOf(uuid, wallet)));
}

if (byId('wallets') !== null) {
  byId('wallets').addEventListener('change', ({ target }) => (chosenWallet = target.value));
  addEventListener('eip6963:announceProvider', ({ detail }) => {
    const uuid = textOf(detail?.info?.uuid, 64);
    if (uuid === '' || wallets.has(uuid) || wallets.size === MAX_WALLETS) return;
    if (typeof detail.info.name !== 'string' || typeof detail.provider?.request !== 'function') return;
    wallets.set(uuid, {
      name: textOf(detail.info.name, 64),
      rdns: textOf(detail.info.rdns, 128),
      icon: iconOf(detail.info.icon),
      provider: detail.provider,
    });
    listWallets();
  });
  dispatchEvent(new Event('eip6963:requestProvider'));
  // A wallet that does not announce itself is only available as `window.ethereum`.
  if (typeof window.ethereum?.request === 'function' && wallets.size === 0)
    wallets.set('window.ethereum', { name: 'This browser', rdns: '', icon: null, provider: window.ethereum });
  listWallets();
}

byId('decide')?.addEventListener(
  'submit',
  saying(async (event) => {
    const form = event.currentTarget;
    const { submission, revision } = form.dataset;
    const given = new FormData(form);
    const wallet = wallets.get(given.get('wallet'))?.provider;
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
