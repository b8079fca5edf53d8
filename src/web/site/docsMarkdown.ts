/** Markdown as elements of React, for the page of the API: Swagger UI would make HTML of it, which no page may do. */
import { lexer, type Token, type Tokens } from 'marked'

type Create = (type: string, props: object | null, ...children: unknown[]) => unknown

const tags: Readonly<Record<string, string>> = {
  paragraph: 'p',
  strong: 'strong',
  em: 'em',
  list_item: 'li',
  blockquote: 'blockquote',
}

/** A link of a description leads to our own pages or to the web; anything else is shown as its text. */
const isAddress = (href: string): boolean => /^(https?:\/\/|\/|#)/.test(href)

/** The elements for a text. What they do not know stays as it was written. */
export function elementsOf(create: Create, source: string): unknown[] {
  const children = (token: { tokens?: Token[] | undefined; text?: string }) =>
    token.tokens ? token.tokens.map(element) : [token.text ?? '']
  const element = (token: Token, key: number): unknown => {
    const { type } = token
    const tag = tags[type]
    if (tag) return create(tag, { key }, ...children(token as Tokens.Generic))
    if (type === 'list') {
      const { ordered, items } = token as Tokens.List
      return create(ordered ? 'ol' : 'ul', { key }, ...items.map(element))
    }
    if (type === 'link' && isAddress((token as Tokens.Link).href)) {
      return create('a', { key, href: (token as Tokens.Link).href }, ...children(token as Tokens.Link))
    }
    if (type === 'codespan') return create('code', { key }, (token as Tokens.Codespan).text)
    if (type === 'code') return create('pre', { key }, create('code', null, (token as Tokens.Code).text))
    if (type === 'br') return create('br', { key })
    if (type === 'escape' || (type === 'text' && !('tokens' in token))) return (token as Tokens.Text).text
    return 'tokens' in token ? create('span', { key }, ...children(token as Tokens.Generic)) : token.raw
  }
  return lexer(source).map(element)
}
