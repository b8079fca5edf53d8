/** The page `/trust`: how a device comes to trust this server. Rendered on the server, without scripts: it must work before trust. */
import { encode } from 'uqr'
import { escapeHtml } from '#web/manual/render'
import { de } from './de'
import { en, type TrustTexts } from './en'
import { es } from './es'
import { fr } from './fr'

const languages: Readonly<Record<string, { name: string; texts: TrustTexts }>> = {
  en: { name: 'English', texts: en },
  de: { name: 'Deutsch', texts: de },
  es: { name: 'Español', texts: es },
  fr: { name: 'Français', texts: fr },
}

/** What the page says of the authority. */
export type Shown = Readonly<{
  /** SHA-256, `AB:CD:…`. */
  fingerprint: string
  /** A day, `2046-03-01`. */
  until: string
  /** The names and networks that it can vouch for. */
  limits: readonly string[]
}>

/** The language for a person: the one that they chose, or the first of their browser's that there is. */
export function languageFor(chosen: string | null, accepted: string | null): string {
  const wanted = [chosen, ...(accepted ?? '').split(',').map((each) => each.split(';')[0]!.trim())]
  const found = wanted.map((each) => each?.toLowerCase().split('-')[0] ?? '')
  return found.find((each) => Object.hasOwn(languages, each)) ?? 'en'
}

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
const marked = (text: string): string => escapeHtml(text).replace(/\*([^*]+)\*/g, '<b>$1</b>')

const filled = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)

/** A fingerprint in eight lines of four numbers, which people can compare. */
const numbers = (fingerprint: string): string => {
  const all = fingerprint.split(':')
  const groups = Array.from({ length: 8 }, (_, at) => all.slice(at * 4, at * 4 + 4).join(' '))
  return `<ol class="numbers">${groups.map((group) => `<li><code>${group}</code></li>`).join('')}</ol>`
}

/** A QR code as a drawing of its own: one path, and no style or script. */
function drawing(text: string, label: string): string {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return `<svg class="code" viewBox="0 0 ${size} ${size}" role="img" aria-label="${escapeHtml(label)}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${path}" fill="#000"/></svg>`
}

function stepsFor(system: System, texts: TrustTexts, isOpen: boolean): string {
  const steps = texts[`${system}Steps`].map((step) => `<li>${marked(step)}</li>`).join('')
  const get = `<a class="button" href="/trust/${FILES[system]}" download>${escapeHtml(texts.get)}</a>`
  return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(texts[system])}</summary><p>${get}</p><ol>${steps}</ol></details>`
}

/**
 * The page as HTML.
 * @param shown undefined if another authority has signed the certificate, so that nothing is to be done
 * @param asked.address the address of this page for other devices; undefined if it is of this machine alone
 */
export function trustPage(
  shown: Shown | undefined,
  asked: { language: string; agent: string; address: string | undefined },
): string {
  const { texts } = languages[asked.language]!
  const main = shown
    ? mainOf(shown, texts, asked)
    : `<h1>${escapeHtml(texts.notNeeded)}</h1><p class="lead">${escapeHtml(texts.notNeededWhy)}</p>`
  const others = Object.entries(languages)
    .filter(([language]) => language !== asked.language)
    .map(([language, { name }]) => `<a href="?lang=${language}" lang="${language}" hreflang="${language}">${name}</a>`)
  return `<!doctype html>
<html lang="${asked.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(shown ? texts.title : texts.notNeeded)} · Trialbox</title>
<link rel="icon" href="/web/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/web/style.css">
<link rel="stylesheet" href="/web/trust.css">
</head>
<body class="trust">
<header><a class="brand" href="/"><img src="/web/icon.svg" alt="">Trialbox</a><nav class="languages" aria-label="Languages">${others.join(' ')}</nav></header>
<main>
${main}
</main>
</body>
</html>
`
}

function mainOf(shown: Shown, texts: TrustTexts, { agent, address }: { agent: string; address: string | undefined }) {
  const open = systemsOf(agent)
  const systems = [...open, ...(Object.keys(FILES) as System[]).filter((each) => !open.includes(each))]
  const until = filled(texts.until, { date: shown.until })
  const limits = filled(texts.limits, { names: shown.limits.join(', ') })
  return `<h1>${escapeHtml(texts.title)}</h1>
<p class="lead">${escapeHtml(texts.lead)}</p>
<section class="card"><h2>1. ${escapeHtml(texts.check)}</h2><p>${escapeHtml(texts.checkWhy)}</p>
<h3>${escapeHtml(texts.fingerprint)}</h3>${numbers(shown.fingerprint)}<p class="note">${escapeHtml(until)}. ${escapeHtml(limits)}</p></section>
<section class="card"><h2>2. ${escapeHtml(texts.steps)}</h2>
${systems.map((system) => stepsFor(system, texts, open.includes(system))).join('\n')}
<p>${escapeHtml(texts.afterwards)}</p><p class="note">${marked(texts.managed)} <a href="/trust/trialbox.pem" download>trialbox.pem</a></p></section>
${address === undefined ? '' : `<section class="card other"><div><h2>${escapeHtml(texts.phone)}</h2><p>${escapeHtml(texts.phoneWhy)}</p><p class="note"><bdi>${escapeHtml(address)}</bdi></p></div>${drawing(address, texts.phoneWhy)}</section>`}`
}
