/** Reads the expressions of other tools: one grammar, as what differs between them differs in its signs. */
import { type Binary, type FieldNode, type Node, precedence } from './logic'

export type Parsed = { node: Node } | { problem: string }

const LONGEST = 20_000
const DEEPEST = 100
/** OIDs that are longer are not looked for. */
const LONGEST_NAME = 200

type Token = { kind: 'end' | 'sign' | 'name' | 'value' | 'field'; text: string; node?: Node }

const SIGN = /^(?:===|!==|<=|>=|<>|!=|==|=|<|>|&&|\|\||\*\*|[-+*/%^(),!?:])/
const NUMBER = /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/
const REDCAP = /^\[([^\][]{1,200})\]/
const XPATH = /^\$\{\s*([^{}\s]{1,200})\s*\}/
/** A function, whose name may hold hyphens: count-selected(…). */
const FUNCTION = /^(?:[a-z]+:)?[a-z]+\w*(?:-[a-z]+)*(?=\s*\()/i
const NAME = /^[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/u
const aliases: Record<string, Binary> = {
  '==': '=',
  '===': '=',
  '!=': '<>',
  '!==': '<>',
  '&&': 'and',
  '||': 'or',
  '**': '^',
  div: '/',
  mod: '%',
}

const fault = (problem: string) => new Error(problem)

/**
 * @param known names that are read whole although they hold dots and hyphens (the OIDs of an ODM file), and what they
 * name
 */
export function parseLogic(text: string, known?: ReadonlyMap<string, string>): Parsed {
  if (text.length > LONGEST) return { problem: `it is longer than ${LONGEST} characters` }
  try {
    return { node: parser(text, known)() }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** A field in REDCap's brackets: [age], [race(2)], [event][age], [age:value]. */
function bracketed(content: string): FieldNode {
  const [, name, option] = /^\s*([\w-]+)\s*(?:\(\s*([^()]*?)\s*\))?\s*(?::\w+)?\s*$/.exec(content) ?? []
  if (!name) throw fault(`“[${content}]” is no field`)
  return { kind: 'field', name, ...(option === undefined ? {} : { option }) }
}

function tokens(text: string, known?: ReadonlyMap<string, string>): () => Token {
  let at = 0
  const longest = known?.size ? LONGEST_NAME : 0

  /** The longest known name that begins here. */
  function knownName(): string | undefined {
    if (!longest) return undefined
    const run = /^[\p{L}\p{N}_.:-]+/u.exec(text.slice(at, at + longest + 1))?.[0] ?? ''
    for (let length = run.length; length > 0; length--) {
      const name = run.slice(0, length)
      if (known!.has(name) && !/^\d+$/.test(name)) return name
    }
    return undefined
  }

  return () => {
    while (at < text.length && /[\s\u00a0]/.test(text[at]!)) at++
    if (at >= text.length) return { kind: 'end', text: 'its end' }
    const rest = text.slice(at, at + 400)
    const take = (length: number) => void (at += length)
    if (rest[0] === '"' || rest[0] === "'") {
      const end = text.indexOf(rest[0], at + 1)
      if (end < 0) throw fault('a quotation mark is never closed')
      const value = text.slice(at + 1, end)
      at = end + 1
      return { kind: 'value', text: value, node: { kind: 'value', value } }
    }
    const redcap = REDCAP.exec(rest)
    if (redcap) {
      take(redcap[0].length)
      let node = bracketed(redcap[1]!)
      let next = REDCAP.exec(text.slice(at, at + 400))
      while (next) {
        const event = node.name
        take(next[0].length)
        node = /^\s*[\d]+\s*$|-instance\s*$/.test(next[1]!)
          ? { ...node, elsewhere: next[1]! }
          : { ...bracketed(next[1]!), elsewhere: event }
        next = REDCAP.exec(text.slice(at, at + 400))
      }
      return { kind: 'field', text: redcap[0], node }
    }
    const xpath = XPATH.exec(rest)
    if (xpath) {
      take(xpath[0].length)
      return { kind: 'field', text: xpath[0], node: { kind: 'field', name: xpath[1]! } }
    }
    const oid = knownName()
    if (oid) {
      take(oid.length)
      return { kind: 'field', text: oid, node: { kind: 'field', name: known!.get(oid)! } }
    }
    const number = NUMBER.exec(rest)
    if (number) {
      take(number[0].length)
      const value = Number(number[0])
      if (!Number.isFinite(value)) throw fault('a number is too large')
      return { kind: 'value', text: number[0], node: { kind: 'value', value } }
    }
    if (/^\.(?![.\w])/.test(rest)) {
      take(1)
      return { kind: 'field', text: '.', node: { kind: 'field', name: '.' } }
    }
    const name = FUNCTION.exec(rest) ?? NAME.exec(rest)
    if (name) {
      take(name[0].length)
      return { kind: 'name', text: name[0] }
    }
    const sign = SIGN.exec(rest)
    if (!sign) throw fault(`“${rest.slice(0, 20)}” cannot be read`)
    take(sign[0].length)
    return { kind: 'sign', text: sign[0] }
  }
}

function parser(text: string, known?: ReadonlyMap<string, string>): () => Node {
  const next = tokens(text, known)
  let token = next()
  const advance = () => {
    const current = token
    token = next()
    return current
  }
  const is = (sign: string) => token.kind === 'sign' && token.text === sign
  const expect = (sign: string) => {
    if (!is(sign)) throw fault(`“${sign}” is missing before ${token.text}`)
    advance()
  }

  function binarySign(): Binary | undefined {
    if (token.kind !== 'sign' && token.kind !== 'name') return undefined
    const word = token.text.toLowerCase()
    const sign = aliases[word] ?? word
    return Object.hasOwn(precedence, sign) ? (sign as Binary) : undefined
  }

  function named(name: string, depth: number): Node {
    if (!is('(')) {
      const word = name.toLowerCase()
      if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true' ? 1 : 0 }
      return { kind: 'field', name }
    }
    advance()
    const of: Node[] = []
    while (!is(')')) {
      of.push(expression(0, depth + 1))
      if (is(',')) advance()
      else break
    }
    expect(')')
    const word = name.toLowerCase()
    if (word === 'true' || word === 'false') return { kind: 'value', value: word === 'true' ? 1 : 0 }
    if (word === 'not' && of.length === 1) return { kind: 'unary', sign: 'not', of: of[0]! }
    return { kind: 'call', name: word, of }
  }

  function operand(depth: number): Node {
    if (depth > DEEPEST) throw fault(`it is nested more than ${DEEPEST} deep`)
    const current = advance()
    if (current.node) return current.node
    if (current.kind === 'name') {
      if (/^not$/i.test(current.text) && !is('(')) return { kind: 'unary', sign: 'not', of: operand(depth + 1) }
      return named(current.text, depth)
    }
    if (current.kind === 'sign') {
      if (current.text === '(') {
        const inner = expression(0, depth + 1)
        expect(')')
        return inner
      }
      if (current.text === '!') return { kind: 'unary', sign: 'not', of: operand(depth + 1) }
      if (current.text === '-') return negative(expression(7, depth + 1))
      if (current.text === '+') return expression(7, depth + 1)
    }
    throw fault(`${current.kind === 'end' ? 'it ends too soon' : `“${current.text}” cannot stand there`}`)
  }

  function expression(least: number, depth: number): Node {
    let left = operand(depth)
    for (;;) {
      const sign = binarySign()
      if (!sign || precedence[sign] < least) return left
      advance()
      const right = expression(precedence[sign] + (sign === '^' ? 0 : 1), depth + 1)
      left = { kind: 'binary', sign, left, right }
    }
  }

  return () => {
    const node = expression(0, 0)
    if (token.kind !== 'end') throw fault(`“${token.text}” cannot stand there`)
    return node
  }
}

const negative = (of: Node): Node =>
  of.kind === 'value' && typeof of.value === 'number'
    ? { kind: 'value', value: -of.value }
    : { kind: 'unary', sign: '-', of }
