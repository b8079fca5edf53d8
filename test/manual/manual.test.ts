/** The manual is complete: its links have targets, its generated parts are current, and every name is documented. */
import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { Glob } from 'bun'
import { commands } from '#cli/commands'
import { renderedPage } from '#web/manual/content'
import { parts } from '#web/manual/pages'
import { anchorOf, render } from '#web/manual/render'
import { fillGenerated, generatedPages } from '../../scripts/manual'

const files = [...new Glob('*.md').scanSync('docs')].sort()
const texts = new Map(
  await Promise.all(files.map(async (name) => [name, await Bun.file(`docs/${name}`).text()] as const)),
)
const outside = await Promise.all(
  ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].map(async (name) => [name, await Bun.file(name).text()] as const),
)
const sources = await Promise.all(
  [...new Glob('{src,test,scripts}/**/*.{ts,js,css,html,sql}').scanSync('.')].map(
    async (path) => [path, await Bun.file(path).text()] as const,
  ),
)

const anchors = new Map(
  [...texts].map(([file, text]) => {
    const name = file.slice(0, -3)
    return [name, render({ name, text }).sections.map(({ anchor }) => anchor)] as const
  }),
)
const anchorsOf = (name: string): readonly string[] => anchors.get(name)!

/** The targets of the links in a Markdown text, without those in code. */
const linksIn = (text: string): string[] =>
  [...text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, href]) => href!)

/** The problem of a link to `page.md#anchor`; undefined if there is none. */
function broken(name: string, anchor: string | undefined): string | undefined {
  if (!texts.has(`${name}.md`)) return `there is no page ${name}`
  return anchor === undefined || anchorsOf(name).includes(anchor) ? undefined : `${name} has no heading #${anchor}`
}

test('every page is in the contents once, and every page in the contents exists', () => {
  expect(parts.flatMap(({ pages }) => pages.map(({ name }) => `${name}.md`)).sort()).toEqual(files)
})

test.each(files)('%s: its links lead to pages and headings that exist', (file) => {
  const wrong = linksIn(texts.get(file)!).flatMap((href) => {
    if (/^https?:/.test(href)) return []
    if (href.endsWith('.svg')) return existsSync(`docs/${href}`) ? [] : [href]
    const [, name, anchor] = /^(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? []
    const problem = name || anchor ? broken(name ?? file.slice(0, -3), anchor) : 'it leaves the manual'
    return problem ? [`${href}: ${problem}`] : []
  })
  expect(wrong).toEqual([])
})

test.each(outside)('%s: its links lead to files and headings that exist', (file, text) => {
  const own = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => anchorOf(title!.replaceAll('`', '')))
  const wrong = linksIn(text).flatMap((href) => {
    if (/^https?:/.test(href)) return []
    const [path, anchor] = href.split('#')
    if (path === '') return own.includes(anchor!) ? [] : [href]
    if (!existsSync(path!)) return [href]
    const page = /^docs\/([\w-]+)\.md$/.exec(path!)?.[1]
    return page && broken(page, anchor) ? [href] : []
  })
  expect([file, wrong]).toEqual([file, []])
})

test('every test that a page names exists, and every promise of security.md names one', () => {
  const named = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/`(test\/[\w./-]+)`/g)].map(([, path]) => [file, path!] as const),
  )
  expect(named.filter(([, path]) => !existsSync(path))).toEqual([])
  const promises = /\n## What Trialbox does\n([\s\S]*?)\n## /.exec(texts.get('security.md')!)![1]!.trim().split('\n\n')
  expect(promises.length).toBeGreaterThan(10)
  expect(promises.filter((promise) => !/`test\//.test(promise))).toEqual([])
})

test('no page is longer than 300 lines, and the README not longer than 150', () => {
  const lines = (text: string) => text.trimEnd().split('\n').length
  expect([...texts].filter(([, text]) => lines(text) > 300).map(([name]) => name)).toEqual([])
  expect(lines(outside[0]![1])).toBeLessThanOrEqual(150)
})

test('generated parts are current: bun scripts/manual.ts', () => {
  for (const [name, text] of Object.entries(generatedPages())) expect(texts.get(name)).toBe(text)
  for (const [, text] of texts) expect(text).toBe(fillGenerated(text))
  expect([...texts.values()].join('').match(/<!-- generated: \w+ -->/g)).toHaveLength(4)
})

test('every flag of every command and every variable is documented', () => {
  const manual = [...texts.values()].join('\n')
  const words = new Set(manual.match(/--[\w-]+|\bTRIALBOX_\w+/g))
  const flags = commands.flatMap(({ options }) => options.map(({ flag }) => `--${flag}`))
  const variables = sources.flatMap(([path, text]) =>
    path.startsWith('src/') ? (text.match(/\bTRIALBOX_[A-Z_]*[A-Z]\b/g) ?? []) : [],
  )
  const known = variables.filter((name) => !['TRIALBOX_COMMIT', 'TRIALBOX_TABLES_DIGEST'].includes(name)) // fixed at build time
  expect(known.length).toBeGreaterThan(10)
  expect([...new Set([...flags, ...known])].filter((word) => !words.has(word))).toEqual([])
})

test('the manual has the targets of links in errors and pages', () => {
  const links = sources.flatMap(([path, text]) =>
    path.startsWith('src/') && !path.startsWith('src/web/manual/')
      ? [...text.matchAll(/(?<![.\w])\/manual\/([a-z][\w-]*)(?:#([\w-]+))?(?![\w.*-])/g)].map(([, ...link]) => link)
      : [],
  )
  expect(links.length).toBeGreaterThan(8)
  expect(links.flatMap(([name, anchor]) => broken(name!, anchor) ?? [])).toEqual([])
})

describe('documents that the code refers to', () => {
  const comments = sources.filter(([path]) => !path.startsWith('test/manual/'))

  test('a page of the manual exists, with its heading', () => {
    const flat = comments.map(([path, text]) => [path, text.replace(/\n\s*(?:\*|\/\/) ?/g, ' ')] as const)
    const named = flat.flatMap(([path, text]) =>
      [...text.matchAll(/docs\/([\w-]+)\.md((?:(?:, | and )"[^"\n]+")*)/g)].map(([, name, headings]) => ({
        path,
        name: name!,
        headings: [...headings!.matchAll(/"([^"]+)"/g)].map(([, heading]) => heading!),
      })),
    )
    expect(named.length).toBeGreaterThan(100)
    const wrong = named.flatMap(({ path, name, headings }) => {
      const problems = (headings.length ? headings.map(anchorOf) : [undefined]).map((anchor) => broken(name, anchor))
      return problems.flatMap((problem) => (problem ? [`${path}: ${problem}`] : []))
    })
    expect(wrong).toEqual([])
  })

  test('other documents are in the repository', () => {
    const elsewhere =
      /\b[Dd]ecisions \d|\b[Ss]pecification (?:"|“)|\b[Ss]pecification, |[(]specification|[(](?:design|architecture): |README, “|README, "/
    const wrong = comments.flatMap(([path, text]) =>
      text.split('\n').flatMap((line) => (elsewhere.test(line) ? [`${path}: ${line.trim()}`] : [])),
    )
    expect(wrong).toEqual([])
  })
})

describe('a page', () => {
  test('has a title, and its headings have unique anchors', () => {
    for (const name of texts.keys()) {
      const { title, sections, html } = renderedPage(name.slice(0, -3))!
      expect(title.length).toBeGreaterThan(3)
      expect(new Set(sections.map(({ anchor }) => anchor)).size).toBe(sections.length)
      expect(html).not.toMatch(/undefined|\[object|<!--/)
    }
  })

  test('links to other pages by their paths on the server', () => {
    const { html, sections } = render({
      name: 'x',
      text: '# A\n\n[b](running.md#plain-http) [c](README.md)\n\n## B & <i>\n\n## B & i\n',
    })
    expect(html).toContain('<a href="/manual/running#plain-http">b</a> <a href="/manual">c</a>')
    expect(sections.map(({ anchor }) => anchor)).toEqual(['a', 'b-', 'b--i'])
  })

  test('gives two equal headings different anchors', () => {
    expect(render({ name: 'x', text: '# A\n\n## B\n\n## B\n' }).sections.map(({ anchor }) => anchor)).toEqual([
      'a',
      'b',
      'b-1',
    ])
  })
})
