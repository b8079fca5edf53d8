/** The pages whose content a script makes, or that have no other content than texts of the catalogue. */

import type { Translator } from '#web/site/texts'
import { languagesMeta } from './addedFiles'
import { type Html, markup } from './html'
import { pageColours } from './manifest'
import type { PackIndex } from './pack'
import { type Content, scriptPlaceholder } from './shell'

const tile = (href: string, title: string, note: string): Html =>
  markup`<li><a class="card" href="${href}"><strong>${title}</strong><span>${note}</span></a></li>`

/** The first page. Its links work without scripts. */
export const landing = ({ t }: Translator): Content => ({
  title: 'Trialbox',
  script: 'landing',
  body: markup`<main id="page">
<h1>${t('landing.title')}</h1>
<p class="lead">${t('landing.lead')}</p>
<ul class="tiles first">
${tile('/app/', t('landing.takePart'), t('landing.takePartNote'))}
</ul>
<ul class="tiles staff">
${tile('/console', t('landing.console'), t('landing.consoleNote'))}
${tile('/account', t('site.account'), t('landing.account'))}
${tile('/docs', t('site.api'), t('landing.api'))}
${tile('/manual', t('site.manual'), t('landing.manual'))}
${tile('/openapi.json', t('landing.document'), t('landing.documentNote'))}
</ul>
<p id="state" class="state" role="status">${t('landing.checking')}</p>
</main>`,
})

/** In place of a page that does not exist, for a browser. */
export const missing = ({ t }: Translator): Content => ({
  title: `${t('manual.missing')} · Trialbox`,
  body: markup`<main id="page">
<h1>${t('manual.missing')}</h1>
<p class="lead">${t('missing.note')}</p>
<ul class="tiles">
${tile('/app/', t('landing.takePart'), t('landing.takePartNote'))}
${tile('/', 'Trialbox', t('landing.title'))}
</ul>
</main>`,
})

const statuses = {
  ok: { text: 'health.ok', state: 'good' },
  warning: { text: 'health.warning', state: 'warning' },
  failing: { text: 'health.failing', state: 'bad' },
} as const

/** The health of the server: its status stands in the page, and its script adds what the person may know besides. */
export const health = (translator: Translator, status: keyof typeof statuses): Content => {
  const { text, state } = statuses[status]
  const title = translator.t('health.title')
  return {
    title: `${title} · Trialbox`,
    script: 'health',
    body: markup`<main id="page">
<h1>${title}</h1>
<p id="state" class="state" role="status" data-state="${state}">${translator.t(text)}</p>
<noscript><p class="notice warning">${translator.t('site.needsScript')}</p></noscript>
<div id="content" aria-busy="true"><p class="skeleton-card"><span class="hidden">${translator.t('site.loading')}</span></p></div>
</main>`,
  }
}

export const account = (translator: Translator): Content => ({
  title: `${translator.t('account.title')} · Trialbox`,
  script: 'account',
  body: scriptPlaceholder(translator, translator.t('account.title')),
})

export const setup = (translator: Translator): Content => ({
  title: `${translator.t('setup.page')} · Trialbox`,
  script: 'setup',
  body: scriptPlaceholder(translator, translator.t('setup.title')),
})

/** The components of the pages with their states, on a test server. */
export const gallery = (translator: Translator): Content => ({
  title: 'Components · Trialbox',
  script: 'gallery',
  name: 'wide',
  body: scriptPlaceholder(translator, 'Components'),
})

/** The page of the API. It is in English, and Swagger UI has styles of its own. */
const docs = ({ assets, entries }: PackIndex): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Trialbox</title>
<link rel="icon" href="${assets['icon.svg']}" type="image/svg+xml">
<link rel="stylesheet" href="${assets['swagger-ui.css']}">
<link rel="stylesheet" href="${assets['docs.css']}">
</head>
<body>
<div id="docs"><noscript>The same as a document: <a href="/openapi.json">/openapi.json</a></noscript></div>
<script src="${assets['swagger-ui.js']}"></script>
<script type="module" src="${entries.docs?.script}"></script>
</body>
</html>
`.text

/** What a page of a script has besides it: what stands in its head, and what it says without scripts. */
type Standalone = { head: (assets: PackIndex['assets']) => Html; noScript: string }

const standalone: Readonly<Record<'app' | 'links' | 'console', Standalone>> = {
  // The same for everybody and every address below `/app/`, so that a device keeps it.
  app: {
    head: (
      assets,
    ) => markup`<meta name="theme-color" content="${pageColours.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${pageColours.dark}" media="(prefers-color-scheme: dark)">
<meta name="apple-mobile-web-app-title" content="Trialbox">
<link rel="manifest" href="/app/manifest.webmanifest">
<link rel="apple-touch-icon" href="${assets['icon-apple.png']}">
`,
    noScript: 'This app needs JavaScript. Please switch it on and load the page again.',
  },
  // The same for every link. Devices do not keep it.
  links: {
    head: () => markup`<meta name="robots" content="noindex">\n`,
    noScript: 'This page needs JavaScript. Please switch it on and load the page again.',
  },
  // The same for everybody and every study. What it shows of one comes from the API.
  console: {
    head: () => markup`<meta name="robots" content="noindex">\n`,
    noScript: 'This page needs JavaScript. Please switch it on and load the page again.',
  },
}

/** A page that its script makes, which also sets the language. */
function scriptPage({ assets, entries }: PackIndex, name: 'app' | 'links' | 'consent' | 'console'): string {
  const { head, noScript } = standalone[name === 'consent' ? 'links' : name]
  const { script, imports = [], styles = [] } = entries[name] ?? {}
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Trialbox</title>
${head(assets)}${languagesMeta()}<link rel="icon" href="${assets['icon.svg']}" type="image/svg+xml">
${styles.map((path) => markup`<link rel="stylesheet" href="${path}">\n`)}${imports.map((path) => markup`<link rel="modulepreload" href="${path}">\n`)}<script type="module" src="${script}"></script>
</head>
<body class="${name === 'console' ? 'console' : 'app'}">
<noscript><p class="notice warning">${noScript}</p></noscript>
<div id="app"></div>
</body>
</html>
`.text
}

/** The pages that are the same in every language: their scripts set it. */
export const pagesOfScripts = {
  docs,
  app: (index: PackIndex) => scriptPage(index, 'app'),
  links: (index: PackIndex) => scriptPage(index, 'links'),
  consent: (index: PackIndex) => scriptPage(index, 'consent'),
  console: (index: PackIndex) => scriptPage(index, 'console'),
}
