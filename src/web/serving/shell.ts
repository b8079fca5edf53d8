/** The frame of every page: head, header with the pages, content, footer with the languages. */
import { allLanguages, directionOf, nameOfLanguage } from '#web/kit/language/languages'
import type { Translator } from '#web/site/texts'
import { languagesMeta } from './addedFiles'
import { type Html, markup } from './html'
import type { Entry, PackIndex } from './pack'

/** A page to be put into the frame. */
export type Content = {
  title: string
  /** Everything between the header and the footer, with a `main`. */
  body: Html
  /** Names of styles beside the one of all pages. */
  styles?: readonly string[]
  /** The script of the page, by name. */
  script?: string
  /** A further part of the header. */
  header?: Html
  /** The address of this page with its query, to which a choice of language is added. */
  query?: Readonly<Record<string, string>>
  /** A class of the whole page. */
  name?: string
}

const modules = (entry: Entry, language: string): Html => {
  const early = [...entry.imports, ...(entry.texts[language] ?? [])]
  return markup`${early.map((path) => markup`<link rel="modulepreload" href="${path}">\n`)}<script type="module" src="${entry.script}"></script>`
}

/** Links to the same page in each language. They work without scripts, and on every path. */
function languageLinks({ language, t }: Translator, query: Readonly<Record<string, string>>): Html {
  const links = allLanguages().map((each) => {
    const href = `?${new URLSearchParams({ ...query, language: each })}`
    const current = each === language && markup` aria-current="true"`
    return markup`<li><a href="${href}" lang="${each}" hreflang="${each}"${current}>${nameOfLanguage(each)}</a></li>`
  })
  return markup`<nav class="languages" aria-label="${t('site.language')}"><ul>${links}</ul></nav>`
}

/** The whole page. */
export function page(index: PackIndex, translator: Translator, content: Content): string {
  const { language, t } = translator
  const { title, body, styles = [], script, header, query = {}, name } = content
  const sheets = ['style', ...styles].map((each) => index.assets[`${each}.css`])
  const entry = script === undefined ? undefined : index.entries[script]
  return markup`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${languagesMeta()}<link rel="icon" href="${index.assets['icon.svg']}" type="image/svg+xml">
${sheets.map((path) => path && markup`<link rel="stylesheet" href="${path}">\n`)}${entry && modules(entry, language)}
</head>
<body${name && markup` class="${name}"`}>
<a class="skip" href="#page">${t('site.skip')}</a>
<header class="top">
<a class="brand" href="/"><img src="${index.assets['icon.svg']}" alt="" width="32" height="32">Trialbox</a>
<nav aria-label="${t('site.pages')}"><a href="/manual">${t('site.manual')}</a><a href="/docs">${t('site.api')}</a><a href="/account">${t('site.account')}</a></nav>
${header}
</header>
${body}
<footer class="bottom">
${languageLinks(translator, query)}
</footer>
</body>
</html>
`.text
}

/** What stands in a page until its script has begun, and without scripts. */
export const scriptPlaceholder = ({ t }: Translator, title: string): Html => markup`<main id="page">
<h1>${title}</h1>
<noscript><p class="notice warning">${t('site.needsScript')}</p></noscript>
<div id="content" aria-busy="true"><p class="skeleton-card"><span class="hidden">${t('site.loading')}</span></p></div>
</main>`
