/** What each page of a restored copy says first (docs/backup.md, "A copy sends nothing"). */
import type { CopyOrigin } from '#http/services'
import { type BuiltInLanguage, builtIn } from '#web/kit/language/languages'
import { type Html, markup } from './html'

type Texts = { of: (what: string, from: string) => string; ofServer: string; unknown: string; sends: string }

const texts: Readonly<Record<BuiltInLanguage, Texts>> = {
  en: {
    of: (what, from) => `Copy of ${what}, from a backup of ${from}.`,
    ofServer: 'another server',
    unknown: 'an unknown day',
    sends: 'This server sends nothing: no e-mails, text messages or reminders. Do not enter anything here.',
  },
  de: {
    of: (what, from) => `Kopie von ${what}. Tag der Sicherung: ${from}.`,
    ofServer: 'einem anderen Server',
    unknown: 'unbekannt',
    sends: 'Dieser Server verschickt nichts: keine E-Mails, SMS oder Erinnerungen. Bitte geben Sie hier nichts ein.',
  },
  fr: {
    of: (what, from) => `Ceci est une copie. Serveur d’origine\u00a0: ${what}. Jour de la sauvegarde\u00a0: ${from}.`,
    ofServer: 'inconnu',
    unknown: 'inconnu',
    sends: 'Ce serveur n’envoie rien\u00a0: ni e-mails, ni SMS, ni rappels. Ne saisissez rien ici.',
  },
  es: {
    of: (what, from) => `Copia de ${what}. Día de la copia de seguridad: ${from}.`,
    ofServer: 'otro servidor',
    unknown: 'desconocido',
    sends: 'Este servidor no envía nada: ni correos, ni SMS, ni recordatorios. No introduzca nada aquí.',
  },
  ar: {
    of: (what, from) => `نسخة من ${what}، من نسخة احتياطية بتاريخ ${from}.`,
    ofServer: 'خادم آخر',
    unknown: 'يوم غير معروف',
    sends: 'هذا الخادم لا يرسل شيئًا: لا رسائل بريد إلكتروني ولا رسائل نصية ولا تذكيرات. لا تُدخل أي شيء هنا.',
  },
}

/** The notice in every language: the style shows that of the page, which its script may choose. */
export function copyNotice({ address, madeAt }: CopyOrigin): Html {
  const paragraphs = (Object.keys(texts) as BuiltInLanguage[]).map((language) => {
    const { of, ofServer, unknown, sends } = texts[language]
    const sentence = of(address ?? ofServer, madeAt?.slice(0, 10) ?? unknown)
    return markup`<p lang="${language}" dir="${builtIn[language].dir}"><strong>${sentence}</strong> ${sends}</p>`
  })
  return markup`<div class="copy-notice" role="note">${paragraphs}</div>`
}

const isOfType = (answer: Response, type: string) => answer.headers.get('content-type')?.startsWith(type) === true

/**
 * A page with the notice at the beginning of its body, and the style of it. The service worker of the app gets a line of its own, so that
 * devices keep the page anew: both when the copy begins, and when it goes live. Other answers stay as they are.
 * @param style the path of the style
 */
export async function addCopyNotice(answer: Response, copy: CopyOrigin, style: string): Promise<Response> {
  const isPage = isOfType(answer, 'text/html')
  if (!isPage && !isOfType(answer, 'text/javascript')) return answer
  const text = await answer.text()
  const changed = isPage
    ? text
        .replace('</head>', () => `${markup`<link rel="stylesheet" href="${style}">`.text}\n</head>`)
        .replace(/<body[^>]*>/, (body) => `${body}\n${copyNotice(copy).text}`)
    : `${text}\n// copy ${copy.restoredAt}\n`
  const headers = new Headers(answer.headers)
  // It is another one than that which a browser may have kept of the server that this is a copy of.
  headers.delete('etag')
  headers.delete('content-length')
  headers.set('cache-control', 'no-store')
  return new Response(changed, { status: answer.status, headers })
}
