/** The page `/trust`: how a device comes to trust this server. It has no scripts: it must work before there is trust. */

import { isLoopback } from '#kernel/address'
import { instantText } from '#kernel/time'
import { type BuiltInLanguage, isBuiltIn } from '#web/kit/language/languages'
import { type Html, markup } from '#web/serving/html'
import type { Content } from '#web/serving/shell'
import type { Translator } from '#web/site/texts'
import { qrCode } from '#writers/qrCode'
import { ar } from './ar'
import type { TrustedAuthority } from './certificateFile'
import { de } from './de'
import { en, type TrustTexts } from './en'
import { es } from './es'
import { fr } from './fr'

const catalogues: Readonly<Record<BuiltInLanguage, TrustTexts>> = { en, de, fr, es, ar }

type System = 'ios' | 'android' | 'windows' | 'mac' | 'firefox'
const FILES: Readonly<Record<System, string>> = {
  ios: 'trialbox.mobileconfig',
  android: 'trialbox.crt',
  windows: 'trialbox.crt',
  mac: 'trialbox.pem',
  firefox: 'trialbox.pem',
}

/** The system of a device, by what its browser says of itself. An iPad says that it is a Mac, so that both are shown for it. */
function systemsOf(agent: string): System[] {
  if (/iPhone|iPad|iPod/.test(agent)) return ['ios']
  if (/Android/.test(agent)) return ['android']
  if (/Firefox/.test(agent)) return ['firefox']
  if (/Windows/.test(agent)) return ['windows']
  if (/Macintosh/.test(agent)) return ['ios', 'mac']
  return ['firefox']
}

/** Text in which what a device shows on its screen stands between asterisks. */
const withBold = (text: string): readonly (string | Html)[] =>
  text.split('*').map((part, at) => (at % 2 ? markup`<b>${part}</b>` : part))

/** Text in which the file for administrators stands at `{file}`. */
function withFile(text: string): readonly (string | Html)[] {
  const [before = '', after = ''] = text.split('{file}')
  return [before, markup`<a href="/trust/trialbox.pem" download>trialbox.pem</a>`, after]
}

/** A fingerprint in eight lines of four numbers, which people can compare. */
const numbers = (fingerprint: string): Html => {
  const all = fingerprint.split(':')
  const groups = Array.from({ length: 8 }, (_, at) => all.slice(at * 4, at * 4 + 4).join(' '))
  return markup`<ol class="numbers">${groups.map((group) => markup`<li><code>${group}</code></li>`)}</ol>`
}

/** A QR code as a drawing of its own: one path, and no style or script. */
function qrDrawing(text: string, label: string): Html {
  const { size, path } = qrCode(text)
  return markup`<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

function stepsFor(system: System, texts: TrustTexts, isOpen: boolean): Html {
  // Without `download`, with which Apple's devices would put the profile aside as a file instead of offering to install it.
  const steps = texts[`${system}Steps`].map((step) => markup`<li>${withBold(step)}</li>`)
  return markup`<details${isOpen && markup` open`}><summary>${texts[system]}</summary>
<p><a class="button main" href="/trust/${FILES[system]}">${texts.get}</a></p><ol>${steps}</ol></details>`
}

/** The address of the page for other devices; undefined if it is of this machine alone. */
function addressOf({ url }: Request): string | undefined {
  const { hostname, origin } = new URL(url)
  return isLoopback(hostname.replace(/^\[|\]$/g, '')) ? undefined : `${origin}/trust`
}

/** The content of the page. @param authority undefined if another one has signed the certificate, so that nothing is to be done */
export function trustContent(
  authority: TrustedAuthority | undefined,
  request: Request,
  translator: Translator,
): Content {
  const texts = catalogues[isBuiltIn(translator.language) ? translator.language : 'en']
  const title = authority ? texts.title : texts.notNeeded
  const body = authority
    ? bodyOf(authority, texts, request, translator)
    : markup`<p class="lead">${texts.notNeededWhy}</p>`
  return {
    title: `${title} · Trialbox`,
    styles: ['trust'],
    name: 'trust',
    body: markup`<main id="page">\n<h1>${title}</h1>\n${body}\n</main>`,
  }
}

function bodyOf(
  { fingerprint, expiresAt, limits }: TrustedAuthority,
  texts: TrustTexts,
  request: Request,
  { day }: Translator,
): Html {
  const open = systemsOf(request.headers.get('user-agent') ?? '')
  const systems = [...open, ...(Object.keys(FILES) as System[]).filter((each) => !open.includes(each))]
  const address = addressOf(request)
  const otherDevice =
    address !== undefined &&
    markup`<section class="card other"><div><h2>${texts.phone}</h2><p>${texts.phoneWhy}</p><p class="note"><bdi>${address}</bdi></p></div>${qrDrawing(address, texts.phoneWhy)}</section>`
  return markup`<p class="lead">${texts.lead}</p>
<section class="card"><h2>1. ${texts.check}</h2><p>${texts.checkWhy}</p>
<h3>${texts.fingerprint}</h3>${numbers(fingerprint)}
<p class="note">${texts.until.replace('{date}', () => day(instantText(expiresAt).slice(0, 10)))}. ${texts.limits} <bdi>${limits.join(', ')}</bdi></p></section>
<section class="card"><h2>2. ${texts.steps}</h2>
${systems.map((system) => stepsFor(system, texts, open.includes(system)))}
<p>${texts.afterwards}</p><p class="note">${withFile(texts.managed)}</p></section>
${otherDevice}`
}
