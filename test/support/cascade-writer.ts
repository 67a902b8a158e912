// OpenCV's XML of a cascade, in the format of opencv_traincascade or in the one before it: what the readers are given in tests.
import type { Branch, Cascade, CascadeNode } from '../../src/models/cascade.ts';

const rectangles = ({ rectangles: list, tilted }: CascadeNode) =>
  `<rects>${list.map(({ x, y, width, height, weight }) => `<_>${x} ${y} ${width} ${height} ${weight}.</_>`).join('')}` +
  `</rects><tilted>${tilted ? 1 : 0}</tilted>`;

/** Nodes of a tree refer to leaves by minus their number, to features by their place in one list. */
function recent({ width, height, stages }: Cascade): string {
  const features: string[] = [];
  const tree = (nodes: readonly CascadeNode[]) => {
    const leaves: number[] = [];
    const side = (branch: Branch) => ('leaf' in branch ? -(leaves.push(branch.leaf) - 1) : branch.node);
    const internal = nodes.map((node) => {
      features.push(rectangles(node));
      return `${side(node.left)} ${side(node.right)} ${features.length - 1} ${node.threshold}`;
    });
    return `<_><internalNodes>${internal.join(' ')}</internalNodes><leafValues>${leaves.join(' ')}</leafValues></_>`;
  };
  const body = stages.map(
    ({ threshold, trees }) =>
      `<_><maxWeakCount>${trees.length}</maxWeakCount><stageThreshold>${threshold}</stageThreshold>` +
      `<weakClassifiers>${trees.map(tree).join('\n')}</weakClassifiers></_>`,
  );
  return (
    '<cascade type_id="opencv-cascade-classifier"><stageType>BOOST</stageType><featureType>HAAR</featureType>' +
    `<height>${height}</height><width>${width}</width><stageNum>${stages.length}</stageNum>` +
    `<stages>${body.join('\n')}</stages>` +
    `<features>${features.map((feature) => `<_>${feature}</_>`).join('\n')}</features></cascade>`
  );
}

function old({ width, height, stages }: Cascade): string {
  const side = (name: string, branch: Branch) =>
    'leaf' in branch ? `<${name}_val>${branch.leaf}</${name}_val>` : `<${name}_node>${branch.node}</${name}_node>`;
  const node = (n: CascadeNode) =>
    `<_><feature>${rectangles(n)}</feature><threshold>${n.threshold}</threshold>` +
    `${side('left', n.left)}${side('right', n.right)}</_>`;
  const body = stages.map(
    ({ threshold, trees }, i) =>
      `<_><trees>${trees.map((nodes) => `<_>${nodes.map(node).join('')}</_>`).join('\n')}</trees>` +
      `<stage_threshold>${threshold}</stage_threshold><parent>${i - 1}</parent><next>-1</next></_>`,
  );
  return (
    `<frontal type_id="opencv-haar-classifier"><size>${width} ${height}</size>` +
    `<stages>${body.join('\n')}</stages></frontal>`
  );
}

export const cascadeXml = (cascade: Cascade, format: 'recent' | 'old' = 'recent'): string =>
  `<?xml version="1.0"?>\n<!--${cascade.notice}-->\n` +
  `<opencv_storage>${format === 'recent' ? recent(cascade) : old(cascade)}</opencv_storage>\n`;
