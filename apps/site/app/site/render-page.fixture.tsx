import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub } from 'react-router';
import type { ComponentType } from 'react';
import type { PublicSettings } from './settings.js';

export const SETTINGS: PublicSettings = {
  gatewayUrl: 'https://api.launch.example',
  siteUrl: 'https://launch.example',
  explorers: { '1': 'https://explorer.example' },
  trustedDeployments: [],
};
export const RENDERED_AT = Date.parse('2026-11-28T12:00:00.000Z');

/** Renders a page on the server, as its loader's data makes it. Without JavaScript, a visitor sees exactly this. */
export function renderPage(Page: ComponentType, loaded: unknown, address = '/'): string {
  const Stub = createRoutesStub([
    { id: 'root', path: '/', children: [{ id: 'page', index: true, Component: Page }] },
    { id: 'other', path: '*' },
  ]);
  return renderToStaticMarkup(
    <Stub
      initialEntries={[address]}
      hydrationData={{ loaderData: { root: { settings: SETTINGS, nonce: '', renderedAt: RENDERED_AT }, page: loaded } }}
    />,
  );
}
