import {
  bindAndTransform,
  RecordResolver,
  refDecl,
  visitAst,
  type AbstractElem,
  type DeclIdent,
  type LinkBindings,
} from 'wesl';

/**
 * Global names that each compute entry point statically uses, through any number of calls, types and initialisers.
 * Identifiers are resolved with their scopes, so a local named like a binding is not a use of it. (wgsl_reflect's own
 * lists follow calls for bindings but not for overrides, and match by name.)
 *
 * @param code  linked WGSL without imports
 * @returns     names by entry point, in source order of the entry points
 */
export function staticUse(code: string): Map<string, ReadonlySet<string>> {
  const {transformedAst} = bindAndTransform({
    rootModuleName: './linked.wgsl',
    resolver: new RecordResolver({'./linked.wgsl': code}),
  });
  const used = new Map<string, ReadonlySet<string>>();
  for (const declaration of transformedAst.moduleElem.decls) {
    if (declaration.kind !== 'fn' || !isEntryPoint(declaration)) continue;
    used.set(declaration.name.ident.originalName, reachableNames(declaration, transformedAst.bindings));
  }
  return used;
}

function isEntryPoint(fn: AbstractElem): boolean {
  let found = false;
  visitAst(fn, (elem) => {
    found ||= elem.kind === 'attribute' && elem.attribute.kind === '@attribute' && elem.attribute.name === 'compute';
  });
  return found;
}

function reachableNames(start: AbstractElem, bindings: LinkBindings): Set<string> {
  const seen = new Set<DeclIdent>();
  const pending: AbstractElem[] = [start];
  for (let elem = pending.pop(); elem !== undefined; elem = pending.pop()) {
    visitAst(elem, (part) => {
      if (part.kind !== 'ref') return;
      const declaration = refDecl(part.ident, bindings);
      if (declaration?.isGlobal !== true || seen.has(declaration)) return;
      seen.add(declaration);
      if (declaration.declElem !== undefined) pending.push(declaration.declElem);
    });
  }
  return new Set([...seen].map((declaration) => declaration.originalName));
}
