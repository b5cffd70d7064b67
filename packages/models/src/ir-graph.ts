import { isUtf8 } from 'node:buffer';
import { halfToNumber } from './half-precision.ts';
import { readXml, type XmlElement } from './ir-xml.ts';
import type { Constant } from './onnx.ts';

/** A layer of OpenVINO's intermediate representation. */
export interface IrLayer {
  readonly id: string;
  readonly type: string;
  /** Attributes of its operation. */
  readonly data: ReadonlyMap<string, string>;
  /** The layers whose values it takes, by input port. */
  readonly inputs: readonly IrLayer[];
  /** Shape of its value as the file states it; empty of a `Result`. */
  readonly shape: readonly number[];
  /** Its values, of a `Const`. */
  readonly constant: Constant | null;
  /** An error that names the layer and says what is allowed. */
  fault(what: string): Error;
}

/** Versions of the representation that are read. */
const VERSIONS = ['10', '11'];
const MAX_XML_BYTES = 8 << 20;
const MAX_WEIGHT_BYTES = 64 << 20;
/** Of all constants, in 32 bits: several may be the same bytes of the file. */
const MAX_CONSTANT_BYTES = 2 * MAX_WEIGHT_BYTES;
const MAX_LAYERS = 20_000;
const MAX_SIDE = 65_536;
const MAX_VALUES = 1 << 24;

const ELEMENT_BYTES: Readonly<Record<string, number>> = { f16: 2, f32: 4 };
const PRECISION: Readonly<Record<string, string>> = { FP16: 'f16', FP32: 'f32' };

/** A port of a layer: its value's shape and element type. */
interface Port {
  readonly id: string;
  readonly shape: readonly number[];
  readonly element: string;
}

/** A layer before its inputs are found. */
interface Draft extends IrLayer {
  readonly inputs: IrLayer[];
  readonly takes: readonly Port[];
  readonly gives: readonly Port[];
}

/**
 * Reads a network of OpenVINO: layers in topological order, constants decoded. Whether operations, their attributes and
 * their shapes are those of the converter is for `convertIr` to say.
 * @param xml the `.xml` file, at most 8 MiB
 * @param weights the `.bin` file, at most 64 MiB
 * @throws Error when the files are damaged, do not belong together, or are beyond a limit
 */
export function readIr(xml: Uint8Array, weights: Uint8Array): readonly IrLayer[] {
  if (xml.byteLength > MAX_XML_BYTES) throw notIr(`the .xml file is larger than ${MAX_XML_BYTES} bytes`);
  if (weights.byteLength > MAX_WEIGHT_BYTES)
    throw notIr(`the .bin file is larger than ${MAX_WEIGHT_BYTES} bytes`);
  if (!isUtf8(xml)) throw notIr('the .xml file is not UTF-8');
  const net = readXml(new TextDecoder().decode(xml));
  const version = net.attributes.get('version') ?? 'none';
  if (net.name !== 'net' || !VERSIONS.includes(version)) {
    throw notIr(
      `it is ${net.name} of version ${version}; allowed is net of version ${VERSIONS.join(' or ')}`,
    );
  }
  const layers = layersOf(childrenOf(net, 'layers', 'layer'), weights);
  connect(layers, childrenOf(net, 'edges', 'edge'));
  return inOrder([...layers.values()]);
}

function notIr(why: string): Error {
  return new Error(`Not a network of OpenVINO that can be read: ${why.slice(0, 300)}.`);
}

function childrenOf(element: XmlElement, list: string, name: string): readonly XmlElement[] {
  const lists = element.children.filter((child) => child.name === list);
  return lists.flatMap(({ children }) => children.filter((child) => child.name === name));
}

function layersOf(elements: readonly XmlElement[], weights: Uint8Array): Map<string, Draft> {
  if (elements.length > MAX_LAYERS) throw notIr(`it has more than ${MAX_LAYERS} layers`);
  const layers = new Map<string, Draft>();
  let bytes = 0;
  for (const element of elements) {
    const layer = layerOf(element, weights);
    if (layers.has(layer.id)) throw layer.fault('has the id of another layer');
    bytes += layer.constant?.data.byteLength ?? 0;
    if (bytes > MAX_CONSTANT_BYTES) throw layer.fault('has more constants than allowed before it');
    layers.set(layer.id, layer);
  }
  return layers;
}

function layerOf(element: XmlElement, weights: Uint8Array): Draft {
  const [id = '', name = '', type = '', version = ''] = ['id', 'name', 'type', 'version'].map((key) =>
    element.attributes.get(key),
  );
  const label = JSON.stringify(name.slice(0, 80));
  const fault = (what: string) =>
    new Error(`The layer ${label} (${type.slice(0, 40)}) ${what.slice(0, 300)}.`);
  if (version !== 'opset1') throw fault(`is of ${version.slice(0, 40)}; allowed is opset1`);
  const datas = element.children.filter((child) => child.name === 'data');
  if (datas.length > 1) throw fault('has two lists of attributes');
  const data = datas[0]?.attributes ?? new Map<string, string>();
  const ports = (list: string) => childrenOf(element, list, 'port').map((port) => portOf(port, fault));
  const [takes, gives] = [ports('input'), ports('output')];
  if (gives.length !== (type === 'Result' ? 0 : 1))
    throw fault(`has ${gives.length} outputs; allowed is one`);
  const ids = [id, ...[...takes, ...gives].map((port) => port.id)];
  if (!ids.every((each) => /^\d{1,9}$/.test(each))) throw fault(`has the ids ${ids}; allowed are numbers`);
  if (new Set(ids.slice(1)).size < ids.length - 1) throw fault('has two ports of one id');
  const shape = gives[0]?.shape ?? [];
  const draft = { id, type, data, inputs: [], shape, takes, gives, fault };
  if (type === 'Const') return { ...draft, constant: constantOf(draft, weights) };
  const ofElement = type === 'Convert' ? 'f16' : 'f32';
  if (takes.some((port) => port.element !== ofElement)) throw fault(`takes other values than ${ofElement}`);
  if (gives.some((port) => port.element !== 'f32')) throw fault('gives other values than f32');
  return { ...draft, constant: null };
}

function portOf(port: XmlElement, fault: IrLayer['fault']): Port {
  const precision = port.attributes.get('precision') ?? 'none';
  const element = PRECISION[precision];
  if (element === undefined) throw fault(`has a port of ${precision}; allowed are FP32 and FP16`);
  const dims = port.children.filter(({ name }) => name === 'dim').map(({ text }) => text);
  return { id: port.attributes.get('id') ?? '', element, shape: shapeOf(dims, fault) };
}

/** @throws Error for a free size, or one beyond the limits */
function shapeOf(dims: readonly string[], fault: IrLayer['fault']): number[] {
  const shape = dims.map((dim) => (/^[1-9]\d{0,4}$/.test(dim) ? Number(dim) : Number.POSITIVE_INFINITY));
  if (dims.length > 5 || shape.some((side) => side > MAX_SIDE) || valuesOf(shape) > MAX_VALUES) {
    throw fault(
      `has the shape ${dims.join(',').slice(0, 80)}; allowed are five sizes of 1 to ${MAX_SIDE}, ${MAX_VALUES} values`,
    );
  }
  return shape;
}

function valuesOf(shape: readonly number[]): number {
  return shape.reduce((product, side) => product * side, 1);
}

function constantOf({ data, gives, shape, fault }: Omit<Draft, 'constant'>, weights: Uint8Array): Constant {
  const element = data.get('element_type') ?? 'none';
  const width = ELEMENT_BYTES[element];
  if (width === undefined) throw fault(`has values of ${element}; allowed are f32 and f16`);
  const stated = data.get('shape') ?? 'none';
  if (gives[0]!.element !== element || sizesIn(stated).join() !== shape.join()) {
    throw fault(`is ${element} of the shape ${stated.slice(0, 80)}, but its port says otherwise`);
  }
  const [offset = Number.NaN, size = Number.NaN] = ['offset', 'size'].map((key) => {
    const text = data.get(key) ?? '';
    return /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  });
  const count = valuesOf(shape);
  if (size !== count * width) throw fault(`has ${size} bytes for ${count} values of ${element}`);
  if (!(offset + size <= weights.byteLength)) {
    throw fault(`lies at ${offset}, beyond the ${weights.byteLength} bytes of the .bin file`);
  }
  const view = new DataView(weights.buffer, weights.byteOffset + offset, size);
  const read =
    width === 2
      ? (i: number) => halfToNumber(view.getUint16(2 * i, true))
      : (i: number) => view.getFloat32(4 * i, true);
  const values = Float32Array.from({ length: count }, (_, i) => read(i));
  if (!values.every(Number.isFinite)) throw fault('has values that are no numbers');
  return { data: values, dims: shape };
}

/** The numbers of a list such as `1, 64`; NaN for what is none. */
export function sizesIn(text: string): number[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => (/^\s*\d{1,9}\s*$/.test(part) ? Number(part) : Number.NaN));
}

/** Finds the inputs of each layer: one edge for each input port, from a value of the same shape and type. */
function connect(layers: ReadonlyMap<string, Draft>, edges: readonly XmlElement[]): void {
  const sources = new Map<string, readonly [layer: string, port: string]>();
  for (const { attributes } of edges) {
    const [from = '', port = '', to = '', at = ''] = ['from-layer', 'from-port', 'to-layer', 'to-port'].map(
      (key) => attributes.get(key),
    );
    const target = layers.get(to);
    if (!target?.takes.some(({ id }) => id === at)) throw notIr(`an edge ends at port ${at} of layer ${to}`);
    if (sources.has(`${to}:${at}`)) throw target.fault(`has two edges to port ${at}`);
    sources.set(`${to}:${at}`, [from, port]);
  }
  for (const layer of layers.values()) {
    for (const { id, shape, element } of layer.takes) {
      const [from = '', port] = sources.get(`${layer.id}:${id}`) ?? [];
      const source = layers.get(from);
      const given = source?.gives.find((each) => each.id === port);
      if (!source || !given) throw layer.fault(`has no value at port ${id}`);
      if (given.element !== element || given.shape.join() !== shape.join()) {
        throw layer.fault(
          `takes ${element} of ${shape} at port ${id}, where ${given.element} of ${given.shape} come`,
        );
      }
      layer.inputs.push(source);
    }
  }
}

/** Each layer after its inputs, else in the order of the file. */
function inOrder(layers: readonly IrLayer[]): IrLayer[] {
  const waits = new Map(layers.map((layer) => [layer, layer.inputs.length]));
  const readers = new Map<IrLayer, IrLayer[]>(layers.map((layer) => [layer, []]));
  for (const layer of layers) for (const input of layer.inputs) readers.get(input)!.push(layer);
  const order = layers.filter((layer) => layer.inputs.length === 0);
  for (const layer of order) {
    for (const reader of readers.get(layer)!) {
      const left = waits.get(reader)! - 1;
      waits.set(reader, left);
      if (left === 0) order.push(reader);
    }
  }
  const stuck = layers.find((layer) => waits.get(layer)! > 0);
  if (stuck) throw stuck.fault('is part of a circle');
  return order;
}
