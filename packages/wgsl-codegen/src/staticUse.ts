import {
  bindAndTransform,
  childElems,
  RecordResolver,
  refDecl,
  type AbstractElem,
  type AttributeElem,
  type DeclIdent,
  type LinkBindings,
} from 'wesl';

/**
 * Global names that each compute entry point uses, through any number of calls, types and initialisers, with scopes.
 * (wgsl_reflect follows calls for bindings but not for overrides, and matches by name.)
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
  return childElems(fn).some(
    (elem) => elem.kind === 'attribute' && elem.attribute.kind === '@attribute' && elem.attribute.name === 'compute',
  );
}

function reachableNames(start: AbstractElem, bindings: LinkBindings): Set<string> {
  const seen = new Set<DeclIdent>();
  const pending: AbstractElem[] = [start];
  for (let elem = pending.pop(); elem !== undefined; elem = pending.pop()) {
    // Attributes have no child elements, but `@workgroup_size(SIZE)` uses SIZE.
    if (elem.kind === 'attribute') pending.push(...attributeParameters(elem));
    if (elem.kind === 'ref') {
      const declaration = refDecl(elem.ident, bindings);
      if (declaration?.isGlobal === true && !seen.has(declaration)) {
        seen.add(declaration);
        if (declaration.declElem !== undefined) pending.push(declaration.declElem);
      }
    }
    pending.push(...childElems(elem));
  }
  return new Set([...seen].map((declaration) => declaration.originalName));
}

function attributeParameters({attribute}: AttributeElem): AbstractElem[] {
  return attribute.kind === '@attribute' ? (attribute.params ?? []) : [];
}
