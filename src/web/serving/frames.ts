/** The pages whose content a script makes, or that have no other content than texts of the catalogue. */
import type { Speaker } from '#web/site/texts'
import { type Html, markup } from './html'
import { paper } from './manifest'
import type { PackIndex } from './pack'
import { type Content, untilScript } from './shell'

const tile = (href: string, title: string, note: string): Html =>
  markup`<li><a class="card" href="${href}"><strong>${title}</strong><span>${note}</span></a></li>`

/** The first page. Its links work without scripts. */
export const landing = ({ say }: Speaker): Content => ({
  title: 'Trialbox',
  script: 'landing',
  body: markup`<main id="page">
<h1>${say('landing.title')}</h1>
<p class="lead">${say('landing.lead')}</p>
<ul class="tiles first">
${tile('/app/', say('landing.takePart'), say('landing.takePartNote'))}
</ul>
<ul class="tiles staff">
${tile('/account', say('site.account'), say('landing.account'))}
${tile('/docs', say('site.api'), say('landing.api'))}
${tile('/manual', say('site.manual'), say('landing.manual'))}
${tile('/openapi.json', say('landing.document'), say('landing.documentNote'))}
</ul>
<p id="state" class="state" role="status">${say('landing.checking')}</p>
</main>`,
})

/** In place of a page that does not exist, for a browser. */
export const missing = ({ say }: Speaker): Content => ({
  title: `${say('manual.missing')} · Trialbox`,
  body: markup`<main id="page">
<h1>${say('manual.missing')}</h1>
<p class="lead">${say('missing.note')}</p>
<ul class="tiles">
${tile('/app/', say('landing.takePart'), say('landing.takePartNote'))}
${tile('/', 'Trialbox', say('landing.title'))}
</ul>
</main>`,
})

const statuses = {
  ok: { text: 'health.ok', state: 'good' },
  warning: { text: 'health.warning', state: 'warning' },
  failing: { text: 'health.failing', state: 'bad' },
} as const

/** The health of the server: its status stands in the page, and its script adds what the person may know besides. */
export const health = (speaker: Speaker, status: keyof typeof statuses): Content => {
  const { text, state } = statuses[status]
  const title = speaker.say('health.title')
  return {
    title: `${title} · Trialbox`,
    script: 'health',
    body: markup`<main id="page">
<h1>${title}</h1>
<p id="state" class="state" role="status" data-state="${state}">${speaker.say(text)}</p>
<noscript><p class="notice warning">${speaker.say('site.needsScript')}</p></noscript>
<div id="content" aria-busy="true"><p class="skeleton-card"><span class="hidden">${speaker.say('site.loading')}</span></p></div>
</main>`,
  }
}

export const account = (speaker: Speaker): Content => ({
  title: `${speaker.say('account.title')} · Trialbox`,
  script: 'account',
  body: untilScript(speaker, speaker.say('account.title')),
})

export const setup = (speaker: Speaker): Content => ({
  title: `${speaker.say('setup.page')} · Trialbox`,
  script: 'setup',
  body: untilScript(speaker, speaker.say('setup.title')),
})

/** The components of the pages with their states, on a test server. */
export const gallery = (speaker: Speaker): Content => ({
  title: 'Components · Trialbox',
  script: 'gallery',
  name: 'wide',
  body: untilScript(speaker, 'Components'),
})

/** The page of the API. It is in English, and Swagger UI has styles of its own. */
export const docs = ({ assets, entries }: PackIndex): string =>
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

/**
 * The app of participants. It is the same for everybody and every address below `/app/`, so that a device keeps it; the script
 * sets the language.
 */
export const app = ({ assets, entries }: PackIndex): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Trialbox</title>
<meta name="theme-color" content="${paper.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${paper.dark}" media="(prefers-color-scheme: dark)">
<meta name="apple-mobile-web-app-title" content="Trialbox">
<link rel="manifest" href="/app/manifest.webmanifest">
<link rel="icon" href="${assets['icon.svg']}" type="image/svg+xml">
<link rel="apple-touch-icon" href="${assets['icon-apple.png']}">
<link rel="stylesheet" href="${assets['app.css']}">
${entries.app?.imports.map((path) => markup`<link rel="modulepreload" href="${path}">\n`)}<script type="module" src="${entries.app?.script}"></script>
</head>
<body class="app">
<noscript><p class="notice warning">This app needs JavaScript. Please switch it on and load the page again.</p></noscript>
<div id="app"></div>
</body>
</html>
`.text

/** The page behind a link: it is the same for every link, and its script sets the language. Devices do not keep it. */
export const links = ({ assets, entries }: PackIndex, styles = ['links.css']): string =>
  markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>Trialbox</title>
<link rel="icon" href="${assets['icon.svg']}" type="image/svg+xml">
${styles.map((name) => markup`<link rel="stylesheet" href="${assets[name]}">\n`)}${entries.links?.imports.map((path) => markup`<link rel="modulepreload" href="${path}">\n`)}<script type="module" src="${entries.links?.script}"></script>
</head>
<body class="app">
<noscript><p class="notice warning">This page needs JavaScript. Please switch it on and load the page again.</p></noscript>
<div id="app"></div>
</body>
</html>
`.text

/** The page behind a link to a consent form. */
export const consent = (index: PackIndex): string => links(index, ['links.css', 'consent.css'])
